from django.apps import AppConfig


class AftersalesConfig(AppConfig):
    name = "apps.aftersales"
    verbose_name = "售后"
