"""Models of the customer's organisation."""

from apps.org.models.account import Account
from apps.org.models.address import Address
from apps.org.models.change import OrganisationChange
from apps.org.models.department import Department
from apps.org.models.group import Enterprise, Group
from apps.org.models.invoice_title import InvoiceTitle
from apps.org.models.role import Role

__all__ = [
    "Account",
    "Address",
    "Department",
    "Enterprise",
    "Group",
    "InvoiceTitle",
    "OrganisationChange",
    "Role",
]
