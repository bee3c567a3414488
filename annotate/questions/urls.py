from django.urls import path

from annotate.questions import views

urlpatterns = [
    path("p/<slug:slug>/questions/", views.questions, name="questions"),
    path("p/<slug:slug>/questions/<int:question_id>/answer/", views.answer, name="answer_question"),
]
