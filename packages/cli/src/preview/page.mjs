// Runs in the browser. The page shows the conversation in a frame, and its state beside it.

const byId = (id) => document.getElementById(id);

const element = (name, text) => {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
};

const list = (id, values) => {
  const rows = values.flatMap(({ name, value }) => [element('dt', name), element('dd', value)]);
  byId(id).replaceChildren(...rows);
};

const linesOf = (faults) =>
  faults.map(({ at, pointer, detail, frame }) =>
    element('pre', `${at}${pointer && ` ${pointer}`}: ${detail}\n${frame}`),
  );

const showProblem = (problem) => {
  byId('problem').hidden = problem === null;
  if (problem === null) return;
  byId('problem').replaceChildren(element('p', problem.message), ...linesOf(problem.faults));
};

const showWarnings = (warnings) => {
  byId('warnings').hidden = warnings.length === 0;
  const message = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`;
  byId('warnings').replaceChildren(element('p', message), ...linesOf(warnings));
};

const showMap = (map, current) => {
  const items = map.map(({ id, kind, text, from, ways, isReached }) => {
    const item = element('li', '');
    item.id = `step-${id}`;
    if (id === current) item.setAttribute('aria-current', 'step');
    const head = element('p', '');
    head.append(element('b', id), ` ${kind}${text && `: ${text}`}`);
    item.append(head);
    if (!isReached) item.append(element('p', 'no path from the start leads here'));
    if (from.length > 0) item.append(element('small', `after ${from.join(', ')}`));
    const list = element('ul', '');
    list.append(...ways.map(({ to, when }) => element('li', `→ ${to}${when && ` ${when}`}`)));
    item.append(list);
    return item;
  });
  byId('map').replaceChildren(...items);
};

let modelStep;
const showModel = (model) => {
  byId('model').hidden = model === null;
  byId('prompt').textContent = model === null ? '' : `${model.stepId}: ${model.prompt}`;
  byId('hint').textContent = model === null ? '' : model.hint;
  if (model?.stepId !== modelStep) byId('refusal').textContent = '';
  modelStep = model?.stepId;
};

const show = (overview) => {
  const { file, link, bot, status, stepId, model, notes } = overview;
  byId('name').textContent = bot ? bot.name : 'Preview';
  byId('file').textContent = bot ? `${file}: ${bot.key}, ${bot.type}, ${bot.steps} steps` : file;
  document.title = bot ? `${bot.name} – Parley preview` : 'Parley preview';
  showProblem(overview.problem);
  showWarnings(overview.warnings);
  showModel(model);
  showMap(overview.map, stepId ?? model?.stepId);
  const frame = byId('conversation');
  if (link !== null && frame.getAttribute('src') !== link) frame.src = link;
  list('state', [
    { name: 'status', value: status },
    { name: 'waits at', value: stepId ?? model?.stepId ?? '–' },
  ]);
  list('answers', overview.answers);
  list('evaluation', overview.evaluation);
  list('context', overview.context);
  byId('notes').replaceChildren(...notes.map((note) => element('li', note)));
};

byId('restart').addEventListener('click', () => void fetch('/restart', { method: 'POST' }));
byId('model').addEventListener('submit', (event) => {
  event.preventDefault();
  const body = JSON.stringify({ line: byId('line').value });
  void fetch('/model', { method: 'POST', body }).then(async (answer) => {
    byId('refusal').textContent = answer.ok ? '' : await answer.text();
    if (answer.ok) byId('line').value = '';
  });
});
new EventSource('/events').addEventListener('message', ({ data }) => show(JSON.parse(data)));
