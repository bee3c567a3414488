"""Static files under names that hold their hash, with the imports inside ES modules rewritten."""

from __future__ import annotations

from django.conf import settings
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    support_js_module_import_aggregation = True
    # Only our own modules: libraries have comments, and modules that import missing files.
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        self._addresses: dict[str, str] = {}

    def url(self, name: str, force: bool = False) -> str:
        """Return the address of a file, which is worked out once: a page names about 35 files, and
        the manifest is read when the process starts.
        """
        if force or settings.DEBUG:
            return str(super().url(name, force))
        if name not in self._addresses:
            self._addresses[name] = str(super().url(name))
        return self._addresses[name]
