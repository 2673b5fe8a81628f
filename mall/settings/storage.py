"""Where files go, from STORAGE_URL: the disk by default, an S3 bucket by s3://bucket?endpoint=…"""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import environ


def build_storages(env: environ.Env) -> dict[str, dict[str, Any]]:
    """Return Django's STORAGES: `default` for media, `staticfiles` for the build."""
    static = {
        "BACKEND": env(
            "STATICFILES_STORAGE", default="whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    }
    url = env("STORAGE_URL", default="")
    if not url.startswith("s3://"):
        return {
            "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
            "staticfiles": static,
        }
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    # Imported here, so that a mall without S3 does not load the client. All calls have a timeout.
    from botocore.config import Config

    limits = {"connect_timeout": 5, "read_timeout": 30, "retries": {"max_attempts": 2}}
    options: dict[str, Any] = {
        "bucket_name": parts.hostname,
        "file_overwrite": False,
        "querystring_auth": True,
    }
    if "endpoint" in query:
        # Self-hosted stores have no host name per bucket.
        options["endpoint_url"], limits["s3"] = query["endpoint"][0], {"addressing_style": "path"}
    if "region" in query:
        options["region_name"] = query["region"][0]
    options["client_config"] = Config(**limits)
    return {
        "default": {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options},
        "staticfiles": static,
    }
