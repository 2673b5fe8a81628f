from django.apps import AppConfig


class OrgConfig(AppConfig):
    name = "apps.org"
    verbose_name = "组织"

    def ready(self) -> None:
        """Register the models for the audit log, the writers of sheets, and the limit that
        staff can see.
        """
        from auditlog.registry import auditlog

        from apps.common.limits.blocks import register_limit_title
        from apps.common.services.import_notice import register_import_page
        from apps.common.services.import_run import import_writer
        from apps.org.models import (
            Account,
            Address,
            Department,
            Enterprise,
            Group,
            InvoiceTitle,
            PurchaseLimit,
            Role,
        )
        from apps.org.services import address_import, department_import

        register_limit_title("name-taken", "新增账号时账号名与其他客户重复（按集团）")
        auditlog.register(
            Account,
            exclude_fields=["password", "last_login", "updated_at"],
            m2m_fields={"roles", "groups"},
        )
        for model in (Group, Enterprise, Department, Role, PurchaseLimit, Address, InvoiceTitle):
            auditlog.register(
                model, exclude_fields=["logo", "updated_at"] if model is Group else ["updated_at"]
            )
        import_writer(address_import.WRITER, address_import.AddressWriter)
        register_import_page(
            address_import.WRITER, title="收货地址导入", path="/userCenter/management/address"
        )
        import_writer(department_import.WRITER, department_import.DepartmentWriter)
        register_import_page(
            department_import.WRITER, title="部门导入", path="/userCenter/management/department"
        )
