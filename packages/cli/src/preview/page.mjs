// Runs in the browser: the talk in a frame, and beside it what the server says of the talk. All text is set as text.

const byId = (id) => document.getElementById(id);

const element = (name, text, className = '') => {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
};

const list = (id, values) => {
  const rows = values.flatMap(({ name, value, isPersonal }) => {
    const shown = element('dd', value);
    if (isPersonal) shown.append(element('span', 'personal', 'personal'));
    return [element('dt', name), shown];
  });
  byId(id).replaceChildren(...rows);
};

const showProblem = (problem) => {
  byId('problem').hidden = problem === null;
  if (problem === null) return;
  const { message, faults } = problem;
  const lines = faults.map(({ at, pointer, detail, frame }) =>
    element('pre', `${at}${pointer && ` ${pointer}`}: ${detail}\n${frame}`),
  );
  byId('problem').replaceChildren(element('p', message), ...lines);
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
  const { file, link, bot, status, stepId, progress, entryCount, notes } = overview;
  byId('name').textContent = bot ? bot.name : 'Preview';
  byId('file').textContent = bot ? `${file}: ${bot.key}, ${bot.type}, ${bot.steps} steps` : file;
  document.title = bot ? `${bot.name} – Parley preview` : 'Parley preview';
  showProblem(overview.problem);
  showModel(overview.model);
  const frame = byId('talk');
  if (link !== null && frame.getAttribute('src') !== link) frame.src = link;
  const state = {
    status,
    'waits at': stepId ?? overview.model?.stepId ?? '–',
    progress: `${Math.round(progress * 100)} %`,
    entries: String(entryCount),
  };
  list(
    'state',
    Object.entries(state).map(([name, value]) => ({ name, value })),
  );
  list('answers', overview.answers);
  list('evaluation', overview.evaluation);
  list('context', overview.context);
  byId('notes').replaceChildren(...notes.map((note) => element('li', note)));
};

byId('phone').addEventListener('change', (event) => {
  byId('talk').classList.toggle('phone', event.target.checked);
});
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
