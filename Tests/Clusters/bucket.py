# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A bucket as botocore sees it, which is nobody's code under test."""

import time
from pathlib import Path

import botocore.config, botocore.exceptions, botocore.session


class Bucket:
    def __init__(self, address, keys, name, seconds=20):
        settings = botocore.config.Config(
            s3={"addressing_style": "path"}, retries={"max_attempts": 1}, connect_timeout=5, read_timeout=seconds,
            request_checksum_calculation="when_required", response_checksum_validation="when_required")
        self.name, self.client = name, botocore.session.get_session().create_client(
            "s3", "us-east-1", endpoint_url=address, aws_access_key_id=keys[0], aws_secret_access_key=keys[1],
            config=settings)

    def make(self, seconds=120):
        """A cluster that has just begun to listen may not be ready."""
        until = time.monotonic() + seconds
        while True:
            try:
                return self.client.create_bucket(Bucket=self.name)
            except self.client.exceptions.BucketAlreadyOwnedByYou:
                return None
            except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError) as error:
                if time.monotonic() > until:
                    raise OSError(f"no bucket: {error}") from error
                time.sleep(0.5)

    def names(self):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.name)
        return [one["Key"] for page in pages for one in page.get("Contents", [])]

    def get(self, name):
        return self.client.get_object(Bucket=self.name, Key=name)["Body"].read()

    def code(self, operation, **words):
        """The status that a request is answered with."""
        try:
            answer = getattr(self.client, operation)(Bucket=self.name, **words)
            return answer["ResponseMetadata"]["HTTPStatusCode"]
        except botocore.exceptions.ClientError as error:
            return error.response["ResponseMetadata"]["HTTPStatusCode"]

    def download(self, folder):
        """All of it as files. Returns how many there are, and of how many bytes."""
        names, size = self.names(), 0
        for name in names:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            size += path.write_bytes(self.get(name))
        return len(names), size
