"""Back office pages of the organisation. They run in the platform scope and save with the same
services as the API.
"""

from apps.org.admin import addresses, groups, roles

__all__ = ["addresses", "groups", "roles"]
