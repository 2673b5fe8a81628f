from django.apps import AppConfig


class FindersConfig(AppConfig):
    name = "apps.finders"
    verbose_name = "查找与替代"

    def ready(self) -> None:
        """Register the importers."""
        from apps.catalog.services.imports.importer import catalogue_importers_register
        from apps.finders.services.importers import (
            CrossReferenceImporter,
            DeviceBrandImporter,
            DeviceCompatibilityImporter,
            DeviceImporter,
            ExpectedArrivalImporter,
            SubstituteRuleImporter,
        )

        catalogue_importers_register(
            DeviceBrandImporter,
            DeviceImporter,
            DeviceCompatibilityImporter,
            CrossReferenceImporter,
            SubstituteRuleImporter,
            ExpectedArrivalImporter,
        )
