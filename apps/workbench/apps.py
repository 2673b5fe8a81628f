from django.apps import AppConfig


class WorkbenchConfig(AppConfig):
    name = "apps.workbench"
    verbose_name = "工作台"
