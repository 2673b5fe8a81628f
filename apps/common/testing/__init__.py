"""What every app's tests use: the API client, exact query counts, a fast database."""

from apps.common.testing.client import Answer, ApiClient
from apps.common.testing.queries import assert_queries

__all__ = ["Answer", "ApiClient", "assert_queries"]
