from django.apps import AppConfig


class OrgConfig(AppConfig):
    name = "apps.org"
    verbose_name = "组织"

    def ready(self) -> None:
        """Log every change to the organisation with who made it."""
        from auditlog.registry import auditlog

        from apps.org.models import Account, Address, Department, Enterprise, Group, InvoiceTitle, Role

        auditlog.register(Account, exclude_fields=["password", "last_login", "updated_at"], m2m_fields={"roles", "groups"})
        for model in (Group, Enterprise, Department, Role, Address, InvoiceTitle):
            auditlog.register(model, exclude_fields=["logo", "updated_at"] if model is Group else ["updated_at"])
