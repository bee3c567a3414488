"""Names of tables' rows for people: a "captionpair" is a pair of captions."""

from __future__ import annotations

from django.db.models import Model

# Singular and plural, if the pages don't use the words of the model's name.
NAMES = {
    "apitoken": ("API token", "API tokens"),
    "archived": ("archived thing", "archived things"),
    "assignedsubcategory": ("assigned subcategory", "assigned subcategories"),
    "auditevent": ("entry of the audit log", "entries of the audit log"),
    "capstitem": ("clip judged for CapST", "clips judged for CapST"),
    "capstprompts": ("set of CapST prompts", "sets of CapST prompts"),
    "capstrun": ("CapST run", "CapST runs"),
    "captionpair": ("pair of captions", "pairs of captions"),
    "captionset": ("set of model captions", "sets of model captions"),
    "composedquery": ("query", "queries"),
    "finaltexts": ("set of final texts", "sets of final texts"),
    "importbatch": ("import", "imports"),
    "importitem": ("imported file", "imported files"),
    "inferencerun": ("run", "runs"),
    "jobitem": ("item of a job", "items of jobs"),
    "judgereply": ("reply of a judge", "replies of judges"),
    "modelspec": ("model", "models"),
    "noticechoices": ("choice of notices", "choices of notices"),
    "paybonus": ("bonus", "bonuses"),
    "questionmessage": ("message of a question", "messages of questions"),
    "round": ("round of comparisons", "rounds of comparisons"),
    "roundclip": ("place in a round", "places in rounds"),
    "runitem": ("item of a run", "items of runs"),
    "setcaption": ("caption of a set", "captions of sets"),
    "signoff": ("sign-off", "sign-offs"),
    "spotcheckitem": ("item of a spot check", "items of spot checks"),
    "study": ("study", "studies"),
    "system": ("model in a round", "models in rounds"),
    "systemcaption": ("caption in a round", "captions in rounds"),
    "systempair": ("pair of models in a round", "pairs of models in rounds"),
    "thresholdbasis": ("basis of a threshold", "bases of thresholds"),
    "trainingpass": ("passed training", "passed trainings"),
    "vote": ("vote", "votes"),
    "webhookdelivery": ("webhook message", "webhook messages"),
    "workitem": ("piece of work", "pieces of work"),
}


def table_name(table: type[Model], number: int = 1) -> str:
    """Return what people call one row of the table, or several."""
    meta = table._meta
    singular, plural = NAMES.get(
        str(meta.model_name), (str(meta.verbose_name), str(meta.verbose_name_plural))
    )
    return singular if number == 1 else plural
