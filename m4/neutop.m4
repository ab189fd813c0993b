dnl SPDX-License-Identifier: Apache-2.0
dnl The checks that configure.ac uses, so that it reads as a list.

dnl NEUTOP_CHECK_C11: the compiler speaks C11, by itself or with -std=gnu11. autoconf 2.69 does not
dnl look for it.
AC_DEFUN([NEUTOP_CHECK_C11], [
    m4_define([neutop_c11_program], [AC_LANG_PROGRAM([[
#if !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#error "older than C11"
#endif
_Static_assert(sizeof(char) == 1, "C11");
struct outer { union { int a; float b; }; };
]], [[struct outer o = {.a = 1}; return o.a - _Alignof(char);]])])
    AC_MSG_CHECKING([whether $CC speaks C11])
    AC_COMPILE_IFELSE([neutop_c11_program], [AC_MSG_RESULT([yes])], [
        CC="$CC -std=gnu11"
        AC_COMPILE_IFELSE([neutop_c11_program], [AC_MSG_RESULT([with -std=gnu11])], [
            AC_MSG_RESULT([no])
            AC_MSG_ERROR([a C11 compiler is needed: gcc 5 or clang 3.6, or newer])
        ])
    ])
])

dnl NEUTOP_REQUIRE(VARIABLE, MODULE, DEBIAN-PACKAGE, FEDORA-PACKAGE): a library without which there is no neutop.
AC_DEFUN([NEUTOP_REQUIRE], [
    PKG_CHECK_MODULES([$1], [$2], [], [
        neutop_missing="$neutop_missing
    $2: $3 on Debian and Ubuntu, $4 on Amazon Linux, Fedora and Rocky"
    ])
])

dnl NEUTOP_OPTIONAL(VARIABLE, MODULE, DEBIAN-PACKAGE, FEDORA-PACKAGE, WHAT-FOR): yes, no or check.
dnl Sets have_MODULE, and HAVE_VARIABLE in config.h.
AC_DEFUN([NEUTOP_OPTIONAL], [
    AC_ARG_WITH([$2], [AS_HELP_STRING([--without-$2], [build without $2: no $5])],
        [], [AS_VAR_SET([with_$2], [check])])
    have_$2=no
    AS_IF([test "x$with_$2" != xno], [
        PKG_CHECK_MODULES([$1], [$2], [have_$2=yes], [
            AS_IF([test "x$with_$2" = xyes], [
                neutop_missing="$neutop_missing
    $2: $3 on Debian and Ubuntu, $4 on Amazon Linux, Fedora and Rocky"
            ])
        ])
    ])
    AS_IF([test "x$have_$2" = xyes], [AC_DEFINE([HAVE_$1], [1], [Define to 1 with $2: $5.])])
])

dnl NEUTOP_REPORT_MISSING: one message for everything that is missing.
AC_DEFUN([NEUTOP_REPORT_MISSING], [
    AS_IF([test -n "$neutop_missing"], [
        AS_IF([test -z "$PKG_CONFIG"], [
            AC_MSG_ERROR([pkg-config is missing, so no library can be found. Install it and try again:
    pkg-config on Debian and Ubuntu, pkgconf-pkg-config on Amazon Linux, Fedora and Rocky
Libraries looked for:$neutop_missing
On Rocky, libbsd-devel comes from EPEL (dnf install epel-release), on Amazon Linux 2023 from SPAL (dnf install
spal-release). "./bootstrap packages" does all of this.])
        ])
        AC_MSG_ERROR([libraries are missing. Install the package of each and try again:$neutop_missing
On Rocky, libbsd-devel comes from EPEL (dnf install epel-release), on Amazon Linux 2023 from SPAL (dnf install
spal-release). "./bootstrap packages" does all of this.])
    ])
])

dnl NEUTOP_ADD_CFLAGS(VARIABLE, FLAGS): adds each flag that the compiler takes.
AC_DEFUN([NEUTOP_ADD_CFLAGS], [
    neutop_save_CFLAGS=$CFLAGS
    for neutop_flag in $2; do
        AC_MSG_CHECKING([whether $CC takes $neutop_flag])
        CFLAGS="$neutop_save_CFLAGS -Werror $neutop_flag"
        AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
            [AC_MSG_RESULT([yes]); $1="$$1 $neutop_flag"], [AC_MSG_RESULT([no])])
    done
    CFLAGS=$neutop_save_CFLAGS
])

dnl NEUTOP_ADD_LDFLAGS(VARIABLE, FLAGS): the same for the linker.
AC_DEFUN([NEUTOP_ADD_LDFLAGS], [
    neutop_save_LDFLAGS=$LDFLAGS
    for neutop_flag in $2; do
        AC_MSG_CHECKING([whether the linker takes $neutop_flag])
        LDFLAGS="$neutop_save_LDFLAGS $neutop_flag"
        AC_LINK_IFELSE([AC_LANG_PROGRAM()],
            [AC_MSG_RESULT([yes]); $1="$$1 $neutop_flag"], [AC_MSG_RESULT([no])])
    done
    LDFLAGS=$neutop_save_LDFLAGS
])

dnl NEUTOP_CHECK_LINK(FLAGS, IF-YES, IF-NO): a program can be compiled and linked with FLAGS.
AC_DEFUN([NEUTOP_CHECK_LINK], [
    AC_MSG_CHECKING([whether $CC links with $1])
    neutop_save_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS $1"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()], [neutop_links=yes], [neutop_links=no])
    CFLAGS=$neutop_save_CFLAGS
    AC_MSG_RESULT([$neutop_links])
    AS_IF([test "x$neutop_links" = xyes], [$2], [$3])
])

dnl NEUTOP_CHECK_FORTIFY: fortified libc calls, where the code is optimised, the sanitizers do not do the same
dnl work, and neither the user nor the compiler has chosen a level.
AC_DEFUN([NEUTOP_CHECK_FORTIFY], [
    AC_MSG_CHECKING([whether to fortify libc calls])
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#if !defined(__OPTIMIZE__) || defined(_FORTIFY_SOURCE)
#error "not optimised, or chosen already"
#endif
]])], [neutop_fortify=yes], [neutop_fortify=no])
    AS_IF([test "x$enable_asan$enable_fuzzing" != xnono], [neutop_fortify=no])
    AC_MSG_RESULT([$neutop_fortify])
    AS_IF([test "x$neutop_fortify" = xyes], [HARDEN_CPPFLAGS="-D_FORTIFY_SOURCE=2"])
])
