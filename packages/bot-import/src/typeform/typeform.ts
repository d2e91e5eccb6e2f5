import { isJsonObject } from '@parley/runtime/json/json-object';
import type { Source } from '../parts/source.ts';
import type { Converted, Setting } from '../parts/setting.ts';
import { startVariables, variableSteps } from '../parts/variables.ts';
import { endLabel } from '../parts/flow.ts';
import { joinTexts } from '../parts/texts.ts';
import { addField } from './fields.ts';
import { addJumps, hiddenLogic } from './logic.ts';
import { type Form, readForm } from './names.ts';
import { wordsIn } from './words.ts';

/** Whether a file is a form of Typeform (Create API, https://www.typeform.com/developers/create). */
export function isTypeform(value: unknown): boolean {
  return isJsonObject(value) && Array.isArray(value['fields']) && typeof value['title'] === 'string';
}

export function convertTypeform(root: Source, setting: Setting): Converted {
  const { report } = setting;
  const form = readForm(root, setting);
  report.converted(root.at('title'), 'name');
  ignoreSettings(root, setting);
  for (const screen of root.at('welcome_screens').items()) addWelcome(screen, form, setting);
  startVariables(form.variables, root.at('variables'), setting);
  addJumps(hiddenLogic(root), form, setting);
  for (const field of root.at('fields').items()) addField(field, form, setting);
  addEndings(root, form, setting);
  return {
    name: root.at('title').text() ?? '',
    locale: form.locale,
    context: form.context,
    evaluation: variableSteps(form.variables),
  };
}

function addWelcome(screen: Source, form: Form, { flow, report, names }: Setting): void {
  const text = joinTexts([
    wordsIn(screen.at('title'), form),
    wordsIn(screen.at('properties', 'description'), form),
  ]);
  report.ignored([screen.at('id'), screen.at('ref'), screen.at('type')]);
  screen.at('properties', 'show_button').pass();
  report.unsupported([screen.at('properties', 'button_text')], 'button');
  report.unsupported([screen.at('attachment'), screen.at('layout')], 'media');
  if (text === undefined) return;
  const id = names.step('welcome', 'welcome');
  flow.add({ id, kind: 'say', text }, screen);
  report.converted(screen, 'say', {}, id);
}

/** Adds the endings. Conversations that jump to none of them end with the first one. */
function addEndings(root: Source, form: Form, { flow, report, names }: Setting): void {
  const screens = root.at('thankyou_screens').items();
  const isDefault = (screen: Source): boolean => screen.at('ref').value === 'default_tys';
  const own = screens.filter((screen) => !isDefault(screen));
  if (screens.length === 0) flow.goTo(endLabel, root.at('thankyou_screens'));
  for (const screen of [...own, ...screens.filter(isDefault)]) {
    const properties = screen.at('properties');
    const address = wordsIn(properties.at('redirect_url'), form);
    const text = joinTexts([
      wordsIn(screen.at('title'), form),
      wordsIn(properties.at('description'), form),
      address,
    ]);
    const ref = screen.at('ref').text() ?? screen.pointer;
    flow.mark(`screen:${ref}`);
    const id = names.step('end', 'end');
    flow.add({ id, kind: 'end', ...(text !== undefined && { text }) }, screen);
    report.converted(screen, 'end', {}, id);
    if (address !== undefined) report.changed(properties.at('redirect_url'), 'address', { address }, id);
    report.ignored([screen.at('id'), screen.at('type'), properties.at('button_mode')]);
    properties.at('show_button').pass();
    report.unsupported([properties.at('button_text')], 'button', id);
    report.unsupported([properties.at('share_icons')], 'setting', id);
    report.unsupported([screen.at('attachment'), screen.at('layout')], 'media', id);
  }
}

function ignoreSettings(root: Source, { report }: Setting): void {
  report.ignored(
    ['id', 'type', 'workspace', 'self', '_links', 'created_at', 'last_updated_at', 'published_at'].map(
      (name) => root.at(name),
    ),
  );
  report.unsupported([root.at('theme'), root.at('cui_settings')], 'look');
  const settings = root.at('settings');
  settings.at('language').text();
  for (const [name, member] of settings.members()) {
    if (name === 'language') continue;
    report.unsupported([member], name === 'notification' ? 'integration' : 'setting');
  }
}
