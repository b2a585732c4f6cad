#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Starts one server on a free port of the loopback interface: servers.py KIND FOLDER

Prints one line of JSON when it can be asked: its URL and what it wants to know. It ends, with the server, when standard input is closed: a test that
dies leaves nothing behind.
"""
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
VENV = ROOT / "bench-out/venv/bin"
KEYS = ("AKNOTEVAULT", "secret+of/the=store")
USER = ("owner", "p%ss w0rd:~")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def free_block(count):
    """The first of so many ports in a row that are free: outside of those that a kernel gives to whoever asks for any."""
    for _ in range(200):
        first = random.randrange(12000, 30000)
        held = []
        try:
            for port in range(first, first + count):
                probe = socket.socket()
                held.append(probe)
                probe.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for probe in held: probe.close()
    sys.exit("servers: no ports are free")


def beside(name):
    """A program of the virtual environment."""
    path = VENV / name
    if not path.exists():
        sys.exit(f"servers: {path} is missing: Scripts/setup.sh test")
    return str(path)


def written(folder, name, text):
    path = folder / name
    path.write_text(text)
    return str(path)


def password_file(folder):
    digest = subprocess.run(["openssl", "passwd", "-apr1", "-stdin"], input=USER[1], capture_output=True, text=True, check=True).stdout.strip()
    return written(folder, "passwords", f"{USER[0]}:{digest}\n")


def nginx(folder, port, tls=""):
    (folder / "files/notes").mkdir(parents=True)
    # Scripts/setup.sh unpacks it there: installed, it would become a service of this machine.
    unpacked = ROOT / "bench-out/nginx"
    # As root the worker would be another user.
    user = "user root;" if os.getuid() == 0 else ""
    text = f"""
{user} daemon off; pid {folder}/pid; error_log {folder}/errors; worker_processes 1;
load_module {unpacked}/usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
events {{ worker_connections 256; }}
http {{
  access_log {folder}/requests; client_body_temp_path {folder}/bodies; client_max_body_size 64m;
  proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port} {"ssl" if tls else ""}; {tls}
    location / {{
      root {folder}/files; dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS;
      auth_basic notes; auth_basic_user_file {password_file(folder)};
    }}
  }}
}}
"""
    (folder / "bodies").mkdir()
    return [str(unpacked / "usr/sbin/nginx"), "-p", str(folder), "-e", f"{folder}/errors", "-c", written(folder, "nginx.conf", text)], {}


def nginx_tls(folder, port):
    """A certificate for localhost of an authority of its own."""
    run = lambda *words: subprocess.run(["openssl", *words], check=True, cwd=folder, capture_output=True)
    run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem")
    run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "request")
    written(folder, "names", "subjectAltName=DNS:localhost\n")
    run("x509", "-req", "-in", "request", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "cert.pem")
    command, _ = nginx(folder, port, f"ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;")
    return command, {"authority": (folder / "ca.pem").read_text()}


def apache(folder, port):
    (folder / "files/notes").mkdir(parents=True)
    modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"
                      for name in ("mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "dav", "dav_fs"))
    user = "User www-data\nGroup www-data\n" if os.getuid() == 0 else ""
    text = f"""{modules}{user}ServerName localhost
Listen 127.0.0.1:{port}
PidFile {folder}/pid
ErrorLog {folder}/errors
DocumentRoot {folder}/files
DavLockDB {folder}/locks/db
StartServers 1
<Directory {folder}/files>
  Dav On
  AuthType Basic
  AuthName notes
  AuthUserFile {password_file(folder)}
  Require valid-user
</Directory>
"""
    (folder / "locks").mkdir()
    if os.getuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, 33, 33)
            os.chmod(path, 0o755 if path.is_dir() else 0o644)
        for path in [folder.parent]: os.chmod(path, os.stat(path).st_mode | 0o111)
    return ["apache2", "-X", "-f", written(folder, "apache.conf", text)], {}


def wsgidav(folder, port):
    (folder / "files/notes").mkdir(parents=True)
    settings = {"host": "127.0.0.1", "port": port, "provider_mapping": {"/": str(folder / "files")}, "verbose": 1,
                "simple_dc": {"user_mapping": {"*": {USER[0]: {"password": USER[1]}}}}, "http_authenticator": {"accept_digest": False, "default_to_digest": False}}
    return [beside("wsgidav"), "-c", written(folder, "settings.json", json.dumps(settings))], {}


def rclone_webdav(folder, port):
    """With `--dir-cache-time 0` version 1.75.2 waits for itself for ever after some 50 requests."""
    (folder / "files/notes").mkdir(parents=True)
    return [beside("rclone"), "serve", "webdav", str(folder / "files"), "--addr", f"127.0.0.1:{port}", "--htpasswd", password_file(folder), "--config", "/dev/null"], {}


def seaweedfs(folder, port):
    settings = {"identities": [{"name": "owner", "credentials": [{"accessKey": KEYS[0], "secretKey": KEYS[1]}], "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
    ports = list(range(first := free_block(7), first + 7))
    return [beside("weed"), "server", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3", f"-s3.port={port}", "-s3.port.iceberg=0", "-s3.port.lance=0",
            f"-master.port={ports[0]}", f"-volume.port={ports[1]}", f"-filer.port={ports[2]}", f"-master.port.grpc={ports[3]}", f"-volume.port.grpc={ports[4]}",
            f"-filer.port.grpc={ports[5]}", f"-s3.port.grpc={ports[6]}", "-volume.max=0", "-master.volumeSizeLimitMB=256",
            f"-s3.config={written(folder, 's3.json', json.dumps(settings))}"], {"bucket": "vaulttest"}


def moto(folder, port):
    return [beside("moto_server"), "-H", "127.0.0.1", "-p", str(port)], {"bucket": "vaulttest"}


def rclone_s3(folder, port):
    (folder / "files/vaulttest").mkdir(parents=True)
    return [beside("rclone"), "serve", "s3", str(folder / "files"), "--addr", f"127.0.0.1:{port}", "--auth-key", ",".join(KEYS), "--config", "/dev/null"], {"bucket": "vaulttest"}


def openstack(folder, port):
    """Its tenant and user are one word, which S3 calls the access key."""
    return [sys.executable, "-B", str(HERE / "openstack.py"), str(port), str(folder)], {"bucket": "vaulttest", "keys": ("notes:owner", KEYS[1])}


def dropbox(folder, port):
    """A fake, written from the documentation; it takes a port of its own, and ends with its standard input."""
    script = HERE.parent.parent / "Clouds/dropbox.py"
    return [sys.executable, "-B", str(script), str(folder / "dropbox"), "--scale", "0.02"], {"says": True}


def of_ours(name):
    def start(folder, port):
        return [str(VENV / "python3") if (VENV / "python3").exists() else sys.executable, "-B", str(HERE / name), str(port), str(folder)], {"bucket": "vaulttest"}
    return start


KINDS = {"nginx": nginx, "nginx-tls": nginx_tls, "apache": apache, "wsgidav": wsgidav, "rclone-webdav": rclone_webdav, "seaweedfs": seaweedfs, "moto": moto,
         "rclone-s3": rclone_s3, "openstack": openstack, "hostile": of_ours("hostile.py"), "signed": of_ours("signed.py"), "dropbox": dropbox}


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def make_bucket(port, bucket, keys):
    """By botocore, which is nobody's code under test. A server that has just begun to listen may not be ready."""
    script = ("import sys, botocore.session as b, botocore.config as c; s = b.get_session().create_client('s3', 'us-east-1', endpoint_url=sys.argv[1], "
              "aws_access_key_id=sys.argv[2], aws_secret_access_key=sys.argv[3], config=c.Config(s3={'addressing_style': 'path'}, retries={'max_attempts': 1}));"
              "\ntry: s.create_bucket(Bucket=sys.argv[4])\nexcept s.exceptions.BucketAlreadyOwnedByYou: pass")
    for _ in range(60):
        done = subprocess.run([beside("python3"), "-c", script, f"http://127.0.0.1:{port}", *keys, bucket], capture_output=True, text=True)
        if done.returncode == 0: return
        time.sleep(0.2)
    sys.exit(f"servers: no bucket: {done.stderr[-300:]}")


def main():
    kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    command, more = KINDS[kind](folder, port)
    says = more.pop("says", False)
    with open(folder / "output", "wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.PIPE if says else subprocess.DEVNULL, stdout=subprocess.PIPE if says else output,
                                   stderr=output, start_new_session=True, cwd=folder)
    try:
        if says:
            said = json.loads(process.stdout.readline())
            port = int(said["url"].rsplit(":", 1)[1])
            more = {"keys": [said["client_id"], said["refresh_token"]]}
        for _ in range(600):
            if answers(port) or process.poll() is not None: break
            time.sleep(0.05)
        if process.poll() is not None:
            sys.exit(f"servers: {kind} ended: {(folder / 'output').read_text(errors='replace')[-500:]}")
        if more.get("bucket") and kind in ("seaweedfs", "moto", "openstack"): make_bucket(port, more["bucket"], more.get("keys", KEYS))
        host = "https://localhost" if kind == "nginx-tls" else "http://127.0.0.1"
        print(json.dumps({"url": f"{host}:{port}", "pid": process.pid, "user": USER, "keys": KEYS, **more}), flush=True)
        sys.stdin.buffer.read()
    finally:
        # SIGTERM takes some of them seconds.
        try: os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError: pass
        process.wait()


if __name__ == "__main__": main()
