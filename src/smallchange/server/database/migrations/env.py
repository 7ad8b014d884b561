"""The entry of Alembic. It runs on the connection that `database.migrate` hands over."""

from alembic import context

from smallchange.server.database.schema import meta

context.configure(
    connection=context.config.attributes["connection"], target_metadata=meta, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
