from django.apps import AppConfig


class DemoLoadConfig(AppConfig):
    name = "demo.load"
    label = "demo_load"
    verbose_name = "演示数据"
