"""Back office pages of the organisation. They run in the platform scope and save with the same
services as the API.
"""

from apps.org.admin import addresses, departments, groups, roles

__all__ = ["addresses", "departments", "groups", "roles"]
