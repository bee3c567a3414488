"""Static files under names that hold their hash, with the imports inside ES modules rewritten."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    support_js_module_import_aggregation = True
    # Only our own modules: libraries bring comments and modules that import what isn't there.
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )
