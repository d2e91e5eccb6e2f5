import { isJsonObject } from '@parley/runtime/json/json-object';
import type { Converted, Setting } from '../parts/setting.ts';
import type { Source } from '../parts/source.ts';
import { endLabel } from '../parts/flow.ts';
import { addSay } from '../parts/questions.ts';
import { cut, joinTexts, textCharsMax } from '../parts/texts.ts';
import { startVariables, variableSteps } from '../parts/variables.ts';
import { addElement } from './elements.ts';
import { addLogic } from './logic.ts';
import { readSurvey, type Survey, wordsIn } from './survey.ts';

/** Whether a file is a survey of Formbricks, with blocks or, before them, with questions. */
export function isFormbricks(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { blocks, questions, endings, welcomeCard } = value;
  return (
    (Array.isArray(blocks) || Array.isArray(questions)) &&
    (Array.isArray(endings) || isJsonObject(welcomeCard))
  );
}

export function convertFormbricks(root: Source, setting: Setting): Converted {
  const { flow, report } = setting;
  const survey = readSurvey(root, setting);
  report.converted(root.at('name'), 'name');
  ignoreSettings(root, setting);
  addWelcome(root.at('welcomeCard'), survey);
  startVariables(survey.variables.values(), root.at('variables'), setting);
  const blocks = root.at('blocks').items();
  const questions = root.at('questions').items();
  const all = [
    ...blocks.map((block) => ({ block, elements: block.at('elements').items() })),
    ...questions.map((question) => ({ block: question, elements: [question] })),
  ];
  const endings = endingsOf(root);
  for (const { block } of all) survey.labels.set(idOf(block), `block:${idOf(block)}`);
  for (const ending of endings) survey.labels.set(idOf(ending), `ending:${idOf(ending)}`);
  const [firstEnding] = endings;
  // Logic of older surveys calls it so.
  survey.labels.set('end', firstEnding === undefined ? endLabel : `ending:${idOf(firstEnding)}`);
  for (const { block, elements } of all) {
    flow.mark(`block:${idOf(block)}`);
    if (!elements.includes(block)) report.ignored([block.at('name')]);
    report.unsupported([block.at('buttonLabel'), block.at('backButtonLabel')], 'button');
    for (const element of elements) addElement(element, survey);
    addLogic(block, survey);
  }
  for (const ending of endings) addEnding(ending, survey);
  return {
    name: root.at('name').text() ?? '',
    locale: survey.locale,
    context: survey.context,
    evaluation: variableSteps(survey.variables.values()),
  };
}

/** Returns the endings. Before there were several, there was a card, which could be off. */
function endingsOf(root: Source): Source[] {
  const endings = root.at('endings').items();
  const card = root.at('thankYouCard');
  return endings.length === 0 && card.at('enabled').flag() === true ? [card] : endings;
}

function idOf(source: Source): string {
  return source.at('id').text() ?? source.pointer;
}

function addWelcome(card: Source, survey: Survey): void {
  const { report, names } = survey.setting;
  if (card.at('enabled').flag() !== true) return report.ignored([card]);
  const id = names.step('welcome', 'welcome');
  const text = joinTexts([
    wordsIn(card.at('headline'), survey),
    wordsIn(card.at('subheader'), survey),
    wordsIn(card.at('html'), survey),
  ]);
  addSay(id, text, card, survey.setting);
  report.converted(card, 'say', {}, id);
  report.unsupported([card.at('buttonLabel')], 'button', id);
  report.unsupported([card.at('fileUrl'), card.at('videoUrl')], 'media', id);
  report.unsupported([card.at('timeToFinish'), card.at('showResponseCount')], 'setting', id);
}

function addEnding(ending: Source, survey: Survey): void {
  const { flow, report, names } = survey.setting;
  const id = names.step('end', 'end');
  const address = ending.at('buttonLink').text() || ending.at('url').text() || undefined;
  const text = joinTexts([
    wordsIn(ending.at('headline'), survey),
    wordsIn(ending.at('subheader'), survey),
    address,
  ]);
  flow.mark(`ending:${idOf(ending)}`);
  ending.at('type').text();
  const said = text === undefined ? {} : { text: cut(text, textCharsMax, ending, report) };
  flow.add({ id, kind: 'end', ...said }, ending);
  report.converted(ending, 'end', {}, id);
  if (address !== undefined)
    report.changed(
      ending.at('buttonLink').value ? ending.at('buttonLink') : ending.at('url'),
      'address',
      { address },
      id,
    );
  report.unsupported([ending.at('buttonLabel'), ending.at('label')], 'button', id);
  report.unsupported([ending.at('imageUrl'), ending.at('videoUrl')], 'media', id);
}

const ignored =
  'id createdAt updatedAt archivedAt workspaceId environmentId createdBy creator status type slug exportFormat responseCount completedResponseCount';
const looks = 'styling workspaceOverwrites projectOverwrites productOverwrites';
const settings =
  'displayOption autoClose triggers recontactDays displayLimit delay publishOn closeOn runOnDate closeOnDate autoComplete ' +
  'showLanguageSwitch surveyClosedMessage segment singleUse isVerifyEmailEnabled recaptcha isSingleResponsePerEmailEnabled ' +
  'isBackButtonHidden isAutoProgressingEnabled isCaptureIpEnabled pin displayPercentage metadata customHeadScripts ' +
  'customHeadScriptsMode inlineTriggers resultShareKey distribution targeting redirectUrl';

function ignoreSettings(root: Source, { report }: Setting): void {
  report.ignored(ignored.split(' ').map((name) => root.at(name)));
  report.unsupported(
    looks.split(' ').map((name) => root.at(name)),
    'look',
  );
  report.unsupported(
    settings.split(' ').map((name) => root.at(name)),
    'setting',
  );
  report.unsupported([root.at('followUps')], 'integration');
  for (const language of root.at('languages').items()) {
    const details = language.at('language');
    report.ignored(
      ['id', 'alias', 'createdAt', 'updatedAt', 'projectId', 'workspaceId'].map((name) => details.at(name)),
    );
    report.ignored([language.at('alias')]);
  }
}
