"""Alembic's entry: it runs on the connection that `engine.migrate` hands over."""

from alembic import context

from smallchange.web.store.schema import meta

context.configure(
    connection=context.config.attributes["connection"], target_metadata=meta, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
