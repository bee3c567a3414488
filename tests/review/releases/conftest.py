"""The libraries that people read releases with. They are slow to import."""

import pytest


@pytest.fixture(scope="session")
def readers(tmp_path_factory):
    """The libraries, offline, with their caches in a temporary folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("huggingface")))
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_DATASETS_OFFLINE", "1")
        import datasets
        import mlcroissant
        import pandas
        import webdataset

        class Readers:
            croissant = mlcroissant
            read_parquet = staticmethod(pandas.read_parquet)
            shards = webdataset

            @staticmethod
            def load(folder, name):
                """The rows of a table by split, with the paths of their videos. A cache of its own:
                the library takes two folders of one name for the same data."""
                cache = tmp_path_factory.mktemp("cache")
                loaded = datasets.load_dataset(str(folder), name, cache_dir=str(cache))
                loaded = loaded.cast_column("video", datasets.Video(decode=False))
                return {split: list(rows) for split, rows in loaded.items()}

        yield Readers
