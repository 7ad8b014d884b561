"""Accounts: sign-in, passkeys, programs, erasing."""
