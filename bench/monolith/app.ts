import { randomUUID } from 'node:crypto';
import { keyring } from '@parley/runtime/config/keyring';
import express, { type NextFunction, type Request, type Response } from 'express';
import { createKeyCheck } from './credentials.ts';
import { openDatabase } from './database.ts';
import { Fault, notFound } from './fault.ts';
import { createPresenter, success } from './present.ts';
import {
  filters,
  inWorkspace,
  newInteraction,
  oneCustomer,
  oneInteraction,
  params,
  parse,
} from './requests.ts';
import type { Settings } from './settings.ts';
import {
  countInteractions,
  ensureCustomer,
  expireDue,
  findBot,
  findCustomer,
  findInteraction,
  insertInteraction,
  listInteractions,
  listOfCustomer,
} from './store.ts';
import { createConversation } from './conversation.ts';
import { insertEvent, type RaiseEvent, startPoller } from './outbox.ts';

/** The measured part of the API, in one Express app over one database. */
export function createApp(settings: Settings): express.Express {
  const db = openDatabase(settings.databaseUrl);
  const present = createPresenter(keyring.parse(settings.linkKeys), settings.landingUrl);
  const workspacesOf = createKeyCheck(db, keyring.parse(settings.credentialPeppers), settings.credentialMs);
  const raise: RaiseEvent = settings.hasOutbox ? insertEvent : async () => {};
  const conversation = createConversation(db, keyring.parse(settings.sessionKeys), raise);
  if (settings.hasOutbox) startPoller(db);

  const app = express();
  app.use((request, response, next) => {
    response.set('X-Request-Id', request.get('x-request-id') ?? randomUUID());
    next();
  });
  app.use(express.json({ limit: '256kb' }));
  app.use('/v1/workspaces/:workspaceId', async (request, _response, next) => {
    const workspaceIds = await workspacesOf(request.get('authorization'));
    if (!workspaceIds.includes(request.params.workspaceId)) throw notFound();
    next();
  });

  app.get('/v1/workspaces/:workspaceId/interactions/:interactionId', async (request, response) => {
    const { workspaceId, interactionId } = params(oneInteraction, request);
    const row = await findInteraction(db, workspaceId, interactionId);
    if (!row) throw notFound();
    response.json(success(present.interaction(row)));
  });

  app.get('/v1/workspaces/:workspaceId/customers/:customerId', async (request, response) => {
    const { workspaceId, customerId } = params(oneCustomer, request);
    await expireDue(db, workspaceId);
    const [row, interactions] = await Promise.all([
      findCustomer(db, workspaceId, customerId),
      listOfCustomer(db, workspaceId, customerId),
    ]);
    if (!row) throw notFound();
    response.json(success(present.customer(row, interactions)));
  });

  app.get('/v1/workspaces/:workspaceId/interactions', async (request, response) => {
    const { workspaceId } = params(inWorkspace, request);
    const { page, pageSize, ...filter } = parse(filters, request.query, '/query');
    await expireDue(db, workspaceId);
    const total = await countInteractions(db, workspaceId, filter);
    const rows = await listInteractions(db, workspaceId, filter, { page, pageSize });
    const totalPages = Math.ceil(total / pageSize);
    const meta = { totalResults: total, totalPages, currentPage: page, pageSize };
    response.json(success(rows.map(present.interaction), meta));
  });

  app.post('/v1/workspaces/:workspaceId/interactions', async (request, response) => {
    const { workspaceId } = params(inWorkspace, request);
    const body = parse(newInteraction, request.body, '');
    const row = await db.transaction().execute(async (trx) => {
      const bot = await findBot(trx, workspaceId, body.botId);
      if (!bot || body.context.some(({ key }) => !bot.context.includes(key))) {
        throw new Fault(400, 'invalid-request', 'The request is not valid', {
          errors: [{ pointer: '/botId', detail: 'There is no such bot, or it takes no such context' }],
        });
      }
      await ensureCustomer(trx, workspaceId, body.customerId);
      const created = await insertInteraction(trx, {
        workspace_id: workspaceId,
        customer_id: body.customerId,
        bot_id: bot.id,
        status: body.status,
        priority: body.priority,
        type: bot.type,
        type_label: bot.type_label,
        context: JSON.stringify(body.context),
        expires_at: body.expiry ? new Date(Date.now() + Math.ceil(body.expiry * 1_000)) : null,
        created_at: new Date(),
        seq: 0,
      });
      await raise(trx, created, 'created');
      if (created.status === 'InProgress') await raise(trx, created, 'started');
      return created;
    });
    response.json(success(present.interaction(row)));
  });

  app.post(
    '/public/v1/workspaces/:workspaceId/conversations/:interactionId/messages',
    async (request, response) => {
      const { workspaceId, interactionId } = params(oneInteraction, request);
      response.json(
        success(
          await conversation.post(request.get('authorization'), workspaceId, interactionId, request.body),
        ),
      );
    },
  );

  app.use(() => {
    throw new Fault(404, 'unknown-route', 'There is no such route');
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const fault = error instanceof Fault ? error : new Fault(500, 'internal', 'An internal error occurred');
    if (fault !== error) console.error(error);
    const { code, type, message: detail, errors, data } = fault;
    const requestId = response.get('X-Request-Id');
    response.status(code).json({ success: false, code, detail, data, meta: null, type, requestId, errors });
  });
  return app;
}
