"""The tests: SQLite in a file (threads share it), or the database that TEST_DATABASE_URL names.

A worker that a test starts reads these settings too: VERICAP_TEST_DIR, TEST_DATABASE_URL,
BROKER_URL and BROKER_KEY_PREFIX then give it the test's own folder, database and broker.
"""

import atexit
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from config import environment as env
from config.broker import filesystem_options
from config.databases import with_options
from config.settings.base import *  # noqa: F403
from config.settings.base import INSTALLED_APPS, MIDDLEWARE

if env.text("VERICAP_TEST_DIR", ""):
    TEST_DIR = env.folder("VERICAP_TEST_DIR", env.ROOT)
else:
    TEST_DIR = Path(tempfile.mkdtemp(prefix="vericap-test-"))
    atexit.register(shutil.rmtree, TEST_DIR, ignore_errors=True)

SECRET_KEY = "only for tests, never for anything that answers a stranger"
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
DATABASES = {"default": with_options(env.database("TEST_DATABASE_URL", "sqlite:///:memory:"))}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(TEST_DIR / "test.sqlite3")}
    # Opening a connection takes a third of the time of a small page. The live server closes its
    # threads' connections.
    DATABASES["default"]["CONN_MAX_AGE"] = None
else:
    # A test's commits needn't survive a power cut.
    DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"
    # One connection per request, closed at its end; otherwise the test database could not be
    # dropped.
    DATABASES["default"]["CONN_MAX_AGE"] = 0

MEDIA_ROOT = TEST_DIR / "media"
STATIC_ROOT = TEST_DIR / "static"
# pytest's live server serves static files only for an app with exactly this name.
INSTALLED_APPS = [
    "django.contrib.staticfiles" if app == "config.apps.StaticFiles" else app
    for app in ["fixtures", *INSTALLED_APPS]
]
# Its command `flush` empties the database after a test that commits.
INSTALLED_APPS = ["tests.emptying", *INSTALLED_APPS]
MIDDLEWARE = [name for name in MIDDLEWARE if "whitenoise" not in name]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

CELERY_BROKER_URL = env.text("BROKER_URL", "memory://")
if urlsplit(CELERY_BROKER_URL).scheme == "filesystem":
    CELERY_BROKER_TRANSPORT_OPTIONS = filesystem_options(TEST_DIR / "broker")
elif urlsplit(CELERY_BROKER_URL).scheme == "redis":
    CELERY_BROKER_TRANSPORT_OPTIONS = {"global_keyprefix": env.text("BROKER_KEY_PREFIX", "")}
