# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Keys that can put, get and list, and not delete: the policies of docs/self-hosting.md, against real servers."""

import json

from bucket import Bucket

KEYS = ("AKNOTEVAULTLEAST", "least+secret/of=devices")
# What a server answers to keys of least rights. That a name is not there must be 404: 403 is no answer to that.
EXPECTED = {
    "put": 200, "get": 200, "get what is not there": 404, "list": 200, "overwrite": 200, "delete": 403,
    "delete an old version": 403, "switch versions off": 403, "change the policy": 403, "delete the bucket": 403}


def policy(bucket):
    """Of a user: AWS, MinIO, and an identity of SeaweedFS."""
    return {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": [f"arn:aws:s3:::{bucket}"]},
        {"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject"], "Resource": [f"arn:aws:s3:::{bucket}/*"]}]}


def bucket_policy(bucket, user, owner):
    """Of a bucket: Ceph. An object there belongs to who has put it, so the owner of the bucket is given it, too."""
    devices, keeper = ({"AWS": [f"arn:aws:iam:::user/{name}"]} for name in (user, owner))
    own = [{**one, "Principal": devices} for one in policy(bucket)["Statement"]]
    actions = ["s3:GetObject", "s3:GetObjectVersion", "s3:DeleteObject", "s3:DeleteObjectVersion"]
    return {"Version": "2012-10-17", "Statement": [
        *own, {"Effect": "Allow", "Principal": keeper, "Action": actions, "Resource": [f"arn:aws:s3:::{bucket}/*"]}]}


def probe(address, owner_keys, name, put_policy=None):
    """Returns what keys of least rights were answered, what the owner could read afterwards, and how many versions
    there are of a file that was overwritten."""
    owner, least = Bucket(address, owner_keys, name), Bucket(address, KEYS, name)
    owner.make()
    lifecycle = {"Rules": [{"ID": "old", "Status": "Enabled", "Filter": {"Prefix": ""},
                            "NoncurrentVersionExpiration": {"NoncurrentDays": 30}}]}
    assert owner.code("put_bucket_versioning", VersioningConfiguration={"Status": "Enabled"}) == 200
    assert owner.code("put_bucket_lifecycle_configuration", LifecycleConfiguration=lifecycle) == 200
    if put_policy:
        assert owner.code("put_bucket_policy", Policy=json.dumps(put_policy)) in (200, 204)
    answers = {"put": least.code("put_object", Key="one", Body=b"first")}
    answers["get"] = least.code("get_object", Key="one")
    answers["get what is not there"] = least.code("get_object", Key="two")
    answers["list"] = least.code("list_objects_v2")
    answers["overwrite"] = least.code("put_object", Key="one", Body=b"second")
    answers["delete"] = least.code("delete_object", Key="one")
    versions = owner.client.list_object_versions(Bucket=name, Prefix="one").get("Versions", [])
    old = next((one["VersionId"] for one in versions if not one["IsLatest"]), None)
    answers["delete an old version"] = least.code("delete_object", Key="one", VersionId=old)
    off = {"Status": "Suspended"}
    answers["switch versions off"] = least.code("put_bucket_versioning", VersioningConfiguration=off)
    answers["change the policy"] = least.code("put_bucket_policy", Policy=json.dumps(policy(name)))
    answers["delete the bucket"] = least.code("delete_bucket")
    kept = [owner.code("get_object", Key="one"), owner.code("get_object", Key="one", VersionId=old)]
    return answers, kept, len(versions)


def sync_without_deleting(one, other, place):
    """Two devices over a store that lets them delete nothing: past the 64th object, where a span takes the place of the
    first ones, with files, and with a note that is deleted for good. Returns codes of `sync now` and what was altered
    by somebody with the same keys, before and after a repair."""
    one.need("init", "--no-recovery", "--kdf-target", "0", *one.password)
    one.open()
    one.kept = one.shared = [one.add()]
    one.need("remote", "add", "s3", *place, "--append-only", "--no-input")
    codes = [one.sync_now()]
    vault = json.loads(one.need("status", "--json"))["vaultID"]
    other.need("clone", *place, "--append-only", "--vault-id", vault, "--no-input", *other.password)
    other.open()
    for number in range(70):
        one.change() if number % 8 else one.attach_small()
        codes.append(one.sync_now())
        if number % 9 == 8:
            codes.append(other.sync_now())
    late = one.add()
    codes.append(one.sync_now())
    one.need("rm", late, "--no-input")
    one.empty_trash()
    return codes + [device.sync_now() for device in (one, other, one, other)]


def alter(address, bucket, keys):
    """What keys that cannot delete can still do: other bytes in the place of all segments and spans."""
    least = Bucket(address, keys, bucket)
    names = [one for one in least.names() if "/s/" in one]
    for name in names:
        least.client.put_object(Bucket=bucket, Key=name, Body=b"other bytes")
    return len(names)
