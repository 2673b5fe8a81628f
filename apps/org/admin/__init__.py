"""The organisation in the back office. It runs in the platform's scope: each page saves by the customers' own services."""

from apps.org.admin import addresses, departments, groups, roles

__all__ = ["addresses", "departments", "groups", "roles"]
