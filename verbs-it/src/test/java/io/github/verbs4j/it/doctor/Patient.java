package io.github.verbs4j.it.doctor;

import io.github.verbs4j.doctor.Doctor;
import io.github.verbs4j.doctor.Examination;

/** What child virtual machines run: is this process fit, where and as whom it runs? */
final class Patient {
    private Patient() {}

    public static void main(String[] arguments) {
        Examination examination = Doctor.here().examine();
        System.out.println(examination);
        System.exit(examination.isFit() ? 0 : 1);
    }
}
