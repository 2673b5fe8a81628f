from django.apps import AppConfig


class OfficeConfig(AppConfig):
    name = "apps.office"
    verbose_name = "管理后台"
