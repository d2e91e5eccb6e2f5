import type { InputRule } from '@parley/bot/format';
import { choiceRule, choicesMax, makeChoices, type WantedChoice } from '../parts/choices.ts';
import { type Operand, readNumber } from '../parts/expressions.ts';
import { answerOf, scaleLabels, scaleRule } from '../parts/questions.ts';
import type { Setting } from '../parts/setting.ts';
import type { Source } from '../parts/source.ts';
import { firstOf } from '../parts/texts.ts';

/** A block that asks, with the question that it becomes. */
export type InputBlock = {
  id: string;
  source: Source;
  input: InputRule;
  operand: Operand;
  /** The values of choices by the texts that the variable had. */
  values: Map<string, string>;
  /** The value of the choice of each item that can lead on, by the item's id. */
  items: Map<string, string>;
  variableId: string | undefined;
  /** The evaluation key that the variable became. */
  key: string | undefined;
};

type Known = Pick<InputBlock, 'values' | 'items'>;

/**
 * Returns the questions by the ids of their blocks. Types that Parley does not have are not among them. `names`: of
 * variables by their ids.
 */
export function inputsOf(
  blocks: readonly Source[],
  names: ReadonlyMap<unknown, string>,
  setting: Setting,
): Map<string, InputBlock> {
  return new Map(
    blocks.flatMap((source): [string, InputBlock][] => {
      const known: Known = { values: new Map(), items: new Map() };
      const type = String(source.at('type').value);
      const variableId = source.at('options', 'variableId').value;
      const name = names.get(variableId) ?? type.replace(/ input$/, '');
      const rule = ruleOf(type, source, known, setting);
      if (rule === undefined) return [];
      const id = setting.names.step(name, 'question');
      const operand = answerOf(id, rule);
      const block = { id, source, input: rule, operand, ...known, key: undefined };
      return [
        [
          String(source.at('id').value),
          { ...block, variableId: typeof variableId === 'string' ? variableId : undefined },
        ],
      ];
    }),
  );
}

function ruleOf(type: string, block: Source, known: Known, setting: Setting): InputRule | undefined {
  const { report } = setting;
  const options = block.at('options');
  switch (type) {
    case 'text input':
      report.unsupported([options.at('audioClip'), options.at('attachments')], 'option');
      report.unsupported([options.at('inputMode')], 'option');
      return { type: options.at('isLong').flag() === true ? 'longText' : 'text' };
    case 'number input': {
      report.unsupported(
        ['step', 'style', 'currency', 'unit', 'locale'].map((name) => options.at(name)),
        'option',
      );
      const min = boundOf(options.at('min'));
      const max = boundOf(options.at('max'));
      report.unsupported(
        [options.at('min'), options.at('max')].filter((one) => boundOf(one) === undefined),
        'option',
      );
      return { type: 'number', ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
    }
    case 'email input':
      return { type: 'email' };
    case 'url input':
      return { type: 'url' };
    case 'phone number input':
      report.unsupported([options.at('defaultCountryCode')], 'option');
      return { type: 'phone' };
    case 'date input':
      return dateRule(options, setting);
    case 'time input':
      report.unsupported([options.at('format')], 'option');
      return { type: 'time' };
    case 'rating input':
      return ratingRule(block, options, setting);
    case 'choice input':
    case 'picture choice input':
    case 'cards':
      return choicesRule(type, block, known, setting);
    default:
      return undefined;
  }
}

function boundOf(source: Source): number | undefined {
  const given = source.value;
  const number =
    typeof given === 'number' ? given : typeof given === 'string' ? readNumber(given) : undefined;
  if (number !== undefined) source.pass();
  return number;
}

function dateRule(options: Source, { report }: Setting): InputRule {
  report.unsupported([options.at('format')], 'option');
  for (const name of ['hasTime', 'isRange']) {
    if (options.at(name).flag() === true) report.changed(options.at(name), 'date-only');
  }
  report.unsupported(
    ['from', 'to', 'separator'].map((name) => options.at('labels', name)),
    'option',
  );
  const [min, max] = ['min', 'max'].map((name) => {
    const day = /^\d{4}-\d{2}-\d{2}/.exec(String(options.at(name).value))?.[0];
    if (day !== undefined) options.at(name).pass();
    else report.unsupported([options.at(name)], 'option');
    return day;
  });
  return { type: 'date', ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

function ratingRule(block: Source, options: Source, { report }: Setting): InputRule {
  const max = options.at('length').number() ?? 10;
  const min = boundOf(options.at('startsAt')) ?? 0;
  // Icons count from one.
  const isIcons = options.at('buttonType').text() === 'Icons';
  const first = isIcons ? 1 : min;
  report.unsupported([options.at('customIcon'), options.at('isOneClickSubmitEnabled')], 'look');
  const [left, right] = [options.at('labels', 'left'), options.at('labels', 'right')];
  const labels = scaleLabels(left.text() || undefined, right.text() || undefined);
  const rule = scaleRule(first, max, labels);
  if (labels === undefined || rule.type === 'number') report.unsupported([left, right], 'scale-label');
  if (rule.type === 'number') report.changed(block, 'scale', { min: String(first), max: String(max) });
  return rule;
}

function choicesRule(type: string, block: Source, known: Known, setting: Setting): InputRule {
  const { report } = setting;
  const options = block.at('options');
  const wanted = block
    .at('items')
    .items()
    .flatMap((item) => wantedOf(type, item, setting));
  const searching = ['isSearchable', 'searchInputPlaceholder', 'areInitialSearchButtonsVisible'];
  report.unsupported(
    searching.map((name) => options.at(name)),
    'option',
  );
  report.unsupported(
    [options.at('dynamicVariableId'), options.at('dynamicItems'), options.at('saveResponseMapping')],
    'dynamic',
  );
  const isMultiple = options.at('isMultipleChoice').flag() === true;
  const made = makeChoices(wanted, report);
  const isChoice = made.choices.length > 0 && made.choices.length <= choicesMax;
  wanted.forEach(({ key, answers }, index) => {
    const { value = '', label = '' } = made.choices[index] ?? {};
    const shown = isChoice ? value : firstOf(label);
    for (const answer of answers) if (!known.values.has(answer)) known.values.set(answer, shown);
    known.items.set(key, shown);
  });
  if (isChoice) return choiceRule(made.choices, { isMultiple });
  report.changed(block, 'choices-many', { count: String(made.choices.length), max: String(choicesMax) });
  known.values.clear();
  return { type: 'text' };
}

type Wanted = WantedChoice & { answers: string[] };

/** Returns the choices of an item. A card has one for each of its paths. */
function wantedOf(type: string, item: Source, { report }: Setting): Wanted[] {
  const key = String(item.at('id').value);
  const conditions = [item.at('displayCondition'), item.at('options', 'displayCondition')];
  for (const condition of conditions) {
    if (condition.at('isEnabled').value === true) report.dropped(condition, 'display-condition');
    else report.ignored([condition]);
  }
  report.unsupported([item.at('pictureSrc'), item.at('imageUrl')], 'media');
  report.unsupported([item.at('description')], 'option');
  const title = (type === 'choice input' ? item.at('content') : item.at('title')).text();
  const value = item.at('value').text() ?? item.at('options', 'internalValue').text();
  const paths = type === 'cards' ? item.at('paths').items() : [];
  const answers = [value, title].filter((one) => one !== undefined && one !== '') as string[];
  if (paths.length === 0) return [{ key, label: title || value, source: item, answers }];
  return paths.map((path) => {
    const words = path.at('text').text();
    const label = [title, words].filter((one) => one !== undefined && one !== '').join(': ');
    return {
      key: String(path.at('id').value),
      label,
      source: path,
      answers: paths.length === 1 ? answers : [label],
    };
  });
}
