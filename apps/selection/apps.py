from django.apps import AppConfig


class SelectionConfig(AppConfig):
    name = "apps.selection"
    verbose_name = "一键选品"
