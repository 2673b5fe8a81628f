from django.apps import AppConfig


class BudgetsConfig(AppConfig):
    name = "apps.budgets"
    verbose_name = "预算"
