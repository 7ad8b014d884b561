"""Contacts: where an account wants to be notified besides our pages."""

from __future__ import annotations

import hashlib
import secrets
import time

from sqlalchemy import Connection

from smallchange.i18n.text import Text
from smallchange.server.accounts import rows as account_rows
from smallchange.server.notifications import contact_rows as rows
from smallchange.server.notifications.contact_rows import Contact
from smallchange.server.notifications.mail import Mail, is_mail_address, send_mail
from smallchange.server.notifications.mail_view import confirmation_mail
from smallchange.server.settings import Settings
from smallchange.server.table.storage.store import Store
from smallchange.server.web.account import Account
from smallchange.server.web.errors import ErrorCode, Refused

KEY_BYTES = 24
# mails to addresses that are not confirmed, in CONFIRMATION_PERIOD_S
MAX_CONFIRMATIONS = 3  # to one address, or for one account
MAX_CONFIRMATIONS_OF_NETWORK = 5  # that one address of the internet asks for
MAX_CONFIRMATIONS_OF_SITE = 200
CONFIRMATION_PERIOD_S = 24 * 3600
NO_MAIL_ADDRESS = Text("it is no e-mail address")
NOT_SENT = Text("no e-mail could be sent to it")


class Contacts:
    """The contacts of all accounts."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    async def of(self, account: Account) -> Contact:
        """Return the contact of an account."""
        return await self._store.read(lambda c: rows.find_contact(c, account.id))

    async def set_mail(self, account: Account, mail: str, lang: str, network: str) -> None:
        """Send mails to this address once it is confirmed by the link in a first one; none if it is empty."""
        mail, known = mail.strip(), await self.of(account)
        if not mail:
            await self._store.write("", lambda c: rows.forget_contact(c, account.id))
            return
        if not is_mail_address(mail):
            raise Refused(ErrorCode.BAD_CONTACT, why=NO_MAIL_ADDRESS)
        key, confirmed = (
            (known.mail_key, known.confirmed)
            if mail == known.mail
            else (secrets.token_urlsafe(KEY_BYTES), False)
        )
        new = known._replace(mail=mail, confirmed=confirmed, mail_key=key, lang=lang)
        now_s = int(time.time())

        def job(connection: Connection) -> bool:
            to = hashlib.sha256(mail.casefold().encode()).hexdigest()
            limits = {
                f"mail {account.id}": MAX_CONFIRMATIONS,
                f"mail to {to}": MAX_CONFIRMATIONS,
                f"mail from {network}": MAX_CONFIRMATIONS_OF_NETWORK,
                "mail": MAX_CONFIRMATIONS_OF_SITE,
            }
            for counted, most in () if confirmed else limits.items():
                if account_rows.count_attempt(connection, counted, CONFIRMATION_PERIOD_S, now_s) > most:
                    return False
            rows.put_contact(connection, new)
            return True

        if not await self._store.write("", job):
            raise Refused(ErrorCode.ATTEMPT_LIMIT)
        if not confirmed:
            subject, text = confirmation_mail(self._settings.site, key, lang)
            try:
                await send_mail(
                    self._settings.mail_server, self._settings.mail_from, Mail(mail, subject, text)
                )
            except OSError:
                raise Refused(ErrorCode.BAD_CONTACT, why=NOT_SENT) from None

    async def confirm(self, key: str) -> None:
        """Send mails to the address whose mail had this key from now on."""
        new = (await self._with_key(key))._replace(confirmed=True)
        await self._store.write("", lambda c: rows.put_contact(c, new))

    async def unsubscribe(self, key: str) -> None:
        """Forget the address whose mails have this key. One that is forgotten already is none."""
        known = await self._store.read(lambda c: rows.contact_by_key(c, key))
        if known is not None:
            await self._store.write("", lambda c: rows.forget_contact(c, known.account_id))

    async def _with_key(self, key: str) -> Contact:
        known = await self._store.read(lambda c: rows.contact_by_key(c, key))
        if known is None:
            raise Refused(ErrorCode.NO_PAGE)
        return known
