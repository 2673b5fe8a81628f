from django.apps import AppConfig


class RequisitionsConfig(AppConfig):
    name = "apps.requisitions"
    verbose_name = "采购申请"
