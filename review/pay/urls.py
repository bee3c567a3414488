from django.urls import path

from review.pay import views

PAY = "p/<slug:slug>/pay/"
PERSON = f"{PAY}people/<int:person_id>/"

urlpatterns = [
    path(PAY, views.pay, name="pay"),
    path(f"{PAY}statements/<int:statement_id>/", views.statement, name="pay_statement"),
    path(f"{PAY}people/", views.people, name="pay_people"),
    path(f"{PAY}record/", views.record, name="record_pay"),
    path(f"{PAY}download/", views.download, name="download_pay"),
    path(PERSON, views.person, name="person_pay"),
    path(f"{PERSON}correct/", views.correct, name="correct_pay"),
    path(f"{PERSON}approve/", views.approve, name="approve_pay"),
    path(f"{PAY}spot-checks/<int:check_id>/bonus/", views.bonus, name="pay_bonus"),
    path(f"{PAY}rates/", views.rates, name="pay_rates"),
    path(f"{PAY}rates/currency/", views.currency, name="set_currency"),
    path(f"{PAY}rates/add/", views.add_rate, name="add_pay_rate"),
    path(f"{PAY}rates/end/", views.end_pay, name="end_pay"),
    path(f"{PAY}rates/bonus/", views.change_bonus, name="set_pay_bonus"),
]
