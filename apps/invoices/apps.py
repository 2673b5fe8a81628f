from django.apps import AppConfig


class InvoicesConfig(AppConfig):
    name = "apps.invoices"
    verbose_name = "发票"
