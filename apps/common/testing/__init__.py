"""Test helpers for every app: the API client, exact query counts, a fast database."""

from apps.common.testing.client import Answer, ApiClient
from apps.common.testing.database import assert_queries, examples, undone

__all__ = ["Answer", "ApiClient", "assert_queries", "examples", "undone"]
