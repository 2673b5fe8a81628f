from django.apps import AppConfig


class DimensionsConfig(AppConfig):
    name = "apps.dimensions"
    verbose_name = "核算项"

    def ready(self) -> None:
        """Register the holder of departments, the import and the change history."""
        from apps.dimensions.services.dimensions import count_links, links_move_department
        from apps.org.services.department_merge import Holder, holder_register

        holder_register(Holder("核算项", count_links, links_move_department))

        from apps.common.services.import_notice import register_import_page
        from apps.common.services.import_run import import_writer
        from apps.dimensions.services.dimension_import import WRITER, DimensionWriter

        import_writer(WRITER, DimensionWriter)
        register_import_page(WRITER, title="核算项导入", path="/userCenter/asset/dimension")

        from apps.dimensions.selectors.dimensions import list_dimensions_with_history
        from apps.org.menus import MenuCode
        from apps.org.selectors.changes import HistorySubject, register_history_subject

        register_history_subject(
            HistorySubject(
                "dimension", "核算项", MenuCode.ASSET_DIMENSION, list_dimensions_with_history
            )
        )
