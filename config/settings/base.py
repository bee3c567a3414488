"""Settings that are the same for all installations."""

import sys
from pathlib import Path

from csp.constants import NONE, SELF

from config import environment as env

ROOT = env.ROOT
DEBUG = False

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "config.apps.StaticFiles",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "annotate",
    "inference",
    "review",
    "config.apps.Loaded",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "annotate.middleware.ContentPolicy",
    "annotate.middleware.RefuseUnstorable",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "annotate.middleware.KeepPrivate",
    "annotate.middleware.SignInFirst",  # before the next, so that nobody signed out gets its 403
    "django.middleware.csrf.CsrfViewMiddleware",
    "review.panels.middleware.StayInStudy",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "annotate.middleware.LeadBack",
    "annotate.middleware.OpenPage",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": [
                "annotate.templatetags.components",
                "annotate.templatetags.in_place",
                "annotate.templatetags.keys",
                "annotate.templatetags.moments",
            ],
        },
    },
]

# Some indexes of captions have further columns for PostgreSQL, which SQLite leaves out.
SILENCED_SYSTEM_CHECKS = ["models.W040"]

# People: by email address, by invitation only.
AUTH_USER_MODEL = "annotate.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_ADAPTER = "annotate.accounts.adapter.InvitationOnlyAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "annotate:projects"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"

# Without mail, the page for forgotten passwords names the person to ask.
VERICAP_SENDS_MAIL = True
# The beginning of links in mails that no request sends.
VERICAP_SITE = env.site("VERICAP_SITE", "http://127.0.0.1:8000")

# Sessions are in the database alone: a request must not fail with the cache, and a session that
# ended while the cache was away must not return with it.
SESSION_ENGINE = "django.contrib.sessions.backends.db"

# How long a statement of a page or of the API can take; nginx waits for 120 s.
VERICAP_STATEMENT_SECONDS = env.whole_number("VERICAP_STATEMENT_SECONDS", 60)

# Security headers.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
        "img-src": [SELF, "data:"],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "/static/"
STATICFILES_DIRS = [ROOT / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.HashedStaticStorage"},
}
# A chunk of an upload is the largest body that is read into memory.
DATA_UPLOAD_MAX_MEMORY_SIZE = 9 * 1024 * 1024
# A work page without JavaScript posts as many fields as a draft can have, and a few more.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 25_010
VERICAP_CHUNK_BYTES = 8 * 1024 * 1024

# Videos.
VERICAP_MAX_VIDEO_BYTES = env.whole_number("VERICAP_MAX_VIDEO_MB", 2048) * 1024 * 1024
VERICAP_MAX_VIDEO_SECONDS = env.whole_number("VERICAP_MAX_VIDEO_SECONDS", 4 * 3600)
# The longest time that a worker spends on one download.
VERICAP_MAX_DOWNLOAD_MINUTES = env.whole_number("VERICAP_MAX_DOWNLOAD_MINUTES", 60)
# A worker decodes every frame: these limit how long one file can take.
VERICAP_MAX_VIDEO_FRAMES = env.whole_number("VERICAP_MAX_VIDEO_FRAMES", 450_000)
VERICAP_MAX_VIDEO_GIGAPIXELS = env.whole_number("VERICAP_MAX_VIDEO_GIGAPIXELS", 1_000)

# Models: the ids that can be loaded (with * and ?), and how many a worker keeps in memory.
VERICAP_ALLOWED_MODELS = env.listing("VERICAP_ALLOWED_MODELS")
VERICAP_MODELS_IN_MEMORY = env.whole_number("VERICAP_MODELS_IN_MEMORY", 2)
# Weights that scripts/install_transnetv2.py takes from a package.
VERICAP_WEIGHTS = env.folder("VERICAP_WEIGHTS", Path(sys.prefix, "share", "vericap"))
# Model servers of the environment: {name: {"url": ..., "key": Secret}}.
VERICAP_MODEL_SERVERS = env.model_servers("VERICAP_MODEL_SERVERS", "VERICAP_MODEL_KEY_")
# Hosts and networks, besides public https addresses, that webhooks and imports can connect to.
VERICAP_OUTGOING_ALLOWED = env.hosts("VERICAP_OUTGOING_ALLOWED")
# Such hosts and networks that model servers can have; those of the environment can have any.
VERICAP_MODEL_HOSTS = env.hosts("VERICAP_MODEL_HOSTS")
# How long a worker that stopped responding keeps its items.
VERICAP_ITEM_LEASE_SECONDS = env.whole_number("VERICAP_ITEM_LEASE_SECONDS", 60)

# The API: its own tokens, JSON in and out, errors as problem details.
VERICAP_API_REQUESTS_PER_MINUTE = env.whole_number("VERICAP_API_REQUESTS_PER_MINUTE", 600)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["annotate.api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotate.api.parsers.Json"],
    "EXCEPTION_HANDLER": "annotate.api.problems.answer_error",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Vericap",
    "DESCRIPTION": "Read and change a project with your roles there.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}

# Where nginx finds the media folder for X-Accel-Redirect; empty: Django sends the bytes itself.
VERICAP_ACCEL_PREFIX = ""

# Celery: the database row is the truth, so no result is stored with the broker.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TRACK_STARTED = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = "cpu"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A worker with --beat, such as the demo's, resumes the work of a killed worker; elsewhere a timer
# of deploy/ does. Late reminders are dropped.
CELERY_BEAT_SCHEDULE = {
    "annotate.requeue_jobs": {
        "task": "annotate.requeue_jobs",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "annotate.send_notices": {
        "task": "annotate.send_notices",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "review.record_pay": {
        "task": "review.record_pay",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django.request": {"level": "ERROR"},
        # It logs every request to a model server, with its URL.
        "httpx2": {"level": "WARNING"},
        # It warns that the filesystem broker has no host, but that needs none.
        "kombu.connection": {"level": "ERROR"},
    },
}
