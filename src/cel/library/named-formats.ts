import { isBase64 } from '../../meta/is-base64.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import { dns1035LabelErrors, dnsLabelErrors, dnsSubdomainErrors } from '../../meta/names.ts';
import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { type CallCost, perCharacter, perPatternCharacter, scaled, unitCost } from '../cost/call-cost.ts';
import { timestampOf } from '../evaluate/texts.ts';
import { ListValue, OpaqueValue, Optional, sizeOf } from '../evaluate/values.ts';
import { isParsable } from './parsable.ts';
import { CelUrl } from './urls.ts';

type Check = (text: string) => readonly string[];

class NamedFormat extends OpaqueValue {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly check: Check;
  /** The length of the longest pattern that the check uses, for the cost. */
  readonly patternSize: number;

  constructor(name: string, check: Check, patternSize: number) {
    super();
    this.name = name;
    this.check = check;
    this.patternSize = patternSize;
  }

  override equals(other: OpaqueValue): boolean {
    return this.name === (other as NamedFormat).name;
  }
}

const maxPatternSize = 128;
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const isTime = isParsable((text) => timestampOf(text, { smallLetters: true }));
const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && isTime(`${text}T00:00:00Z`);
const unless =
  (isValid: (text: string) => boolean, problem: string): Check =>
  (text) =>
    isValid(text) ? [] : [problem];

function uriErrors(text: string): readonly string[] {
  try {
    new CelUrl(text);
    return [];
  } catch (error) {
    if (error instanceof CelError)
      return [error.message.replace('URL parse error during conversion from string: ', '')];
    throw error;
  }
}

const prefix = { prefix: true };
const formats: Readonly<Record<string, NamedFormat>> = {
  dns1123Label: new NamedFormat('DNS1123Label', (text) => dnsLabelErrors(text), 30),
  dns1123Subdomain: new NamedFormat('DNS1123Subdomain', (text) => dnsSubdomainErrors(text), 60),
  dns1035Label: new NamedFormat('DNS1035Label', (text) => dns1035LabelErrors(text), 30),
  qualifiedName: new NamedFormat('QualifiedName', labelKeyErrors, 60),
  dns1123LabelPrefix: new NamedFormat('DNS1123LabelPrefix', (text) => dnsLabelErrors(text, prefix), 30),
  dns1123SubdomainPrefix: new NamedFormat('DNS1123SubdomainPrefix', (text) => dnsSubdomainErrors(text, prefix), 60),
  dns1035LabelPrefix: new NamedFormat('DNS1035LabelPrefix', (text) => dns1035LabelErrors(text, prefix), 30),
  labelValue: new NamedFormat('LabelValue', labelValueErrors, 40),
  uri: new NamedFormat('URI', uriErrors, 1103),
  uuid: new NamedFormat(
    'uuid',
    unless((text) => uuid.test(text), 'does not match the UUID format'),
    81,
  ),
  byte: new NamedFormat('byte', unless(isBase64, 'invalid base64'), 90),
  date: new NamedFormat('date', unless(isDate, 'invalid date'), 78),
  datetime: new NamedFormat('datetime', unless(isTime, 'invalid datetime'), 78),
};

function validate(format: NamedFormat, text: string): Optional {
  const problems = format.check(text);
  return problems.length === 0 ? Optional.none : new Optional(new ListValue(problems));
}

/** Counts as matching the pattern of the format. */
const validateCost: CallCost = {
  actual: ([format, text]) =>
    Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil((format as NamedFormat).patternSize * perPatternCharacter),
  estimate: ({ args }) => ({
    cost: scaled(scaled(args[0]!.size, perCharacter), maxPatternSize * perPatternCharacter),
  }),
};

/** Named formats, for example `format.dns1123Label().validate(name)`. */
export const namedFormats: readonly Overload[] = [
  ...Object.entries(formats).map(([name, format]) => defineFunction(`format.${name}`, { '(): Format': () => format })),
  defineFunction(
    'format.named',
    {
      '(string): optional(Format)': (name: string) =>
        Object.hasOwn(formats, name) ? new Optional(formats[name]) : Optional.none,
    },
    { cost: unitCost },
  ),
  defineFunction('validate', { 'Format.(string): optional(list(string))': validate }, { cost: validateCost }),
].flat();
