import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { CelError } from '../../cel/index.ts';
import type { CollectedFindings, ConfigurationFields } from '../../codec/configuration/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { formatDuration, parseDuration } from '../../meta/duration.ts';
import { duplicateValue, invalidValue, notSupportedValue, requiredValue, tooMany } from '../../meta/field-error.ts';
import type { WebhookConfiguration } from '../modes/authorization-configuration.ts';
import { compileMatchCondition } from '../webhook/index.ts';

export type AuthorizationFields = ConfigurationFields<CollectedFindings>;

const maxTimeoutMs = 30_000;
const defaultAuthorizedMs = 300_000;
const defaultUnauthorizedMs = 30_000;
const maxConditions = 64;

export function readWebhookConfiguration(fields: AuthorizationFields): WebhookConfiguration {
  const authorizedMs = readTtl(fields, 'authorizedTTL', defaultAuthorizedMs);
  const unauthorizedMs = readTtl(fields, 'unauthorizedTTL', defaultUnauthorizedMs);
  const timeoutMs = readTimeout(fields);
  const version = readChoice(fields, 'subjectAccessReviewVersion', ['v1', 'v1beta1']);
  const matchConditions = readMatchConditions(fields);
  return {
    kubeConfigFile: readConnection(fields.object('connectionInfo')),
    version,
    timeoutMs,
    authorizedMs: (fields.flag('cacheAuthorizedRequests') ?? true) ? authorizedMs : 0,
    unauthorizedMs: (fields.flag('cacheUnauthorizedRequests') ?? true) ? unauthorizedMs : 0,
    failurePolicy: readChoice(fields, 'failurePolicy', ['NoOpinion', 'Deny']),
    matchConditions,
  };
}

function readTtl(fields: AuthorizationFields, name: string, defaultMs: number): number {
  const ttl = readDuration(fields, name) || defaultMs;
  if (ttl < 0) fields.findings.add(invalidValue(fields.path(name), formatMs(ttl), 'must be > 0s'));
  return ttl;
}

function readTimeout(fields: AuthorizationFields): number {
  const timeout = readDuration(fields, 'timeout') ?? 0;
  if (timeout === 0) fields.findings.add(requiredValue(fields.path('timeout')));
  else if (timeout < 0 || timeout > maxTimeoutMs) {
    fields.findings.add(invalidValue(fields.path('timeout'), formatMs(timeout), 'must be > 0s and <= 30s'));
  }
  return timeout;
}

/** In milliseconds. Undefined when absent. */
function readDuration(fields: AuthorizationFields, name: string): number | undefined {
  const text = fields.text(name);
  if (text === '') return undefined;
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    fields.findings.add(invalidValue(fields.path(name), text, error.message));
    return Number.NaN;
  }
}

function formatMs(milliseconds: number): string {
  return formatDuration(BigInt(Math.round(milliseconds * 1e6)));
}

/** Returns the first choice for an invalid value, so that reading can continue. */
function readChoice<T extends string>(fields: AuthorizationFields, name: string, choices: readonly [T, ...T[]]): T {
  const value = fields.text(name);
  const choice = choices.find((one) => one === value);
  if (value === '') fields.findings.add(requiredValue(fields.path(name)));
  else if (choice === undefined) fields.findings.add(notSupportedValue(fields.path(name), value, choices));
  return choice ?? choices[0];
}

function readConnection(fields: AuthorizationFields): string {
  const type = fields.text('type');
  const file = fields.text('kubeConfigFile');
  if (type === 'InClusterConfig') {
    const detail = 'this server is not reached from within a cluster; use KubeConfigFile';
    fields.findings.add(invalidValue(fields.path('type'), type, detail));
  } else if (readChoice(fields, 'type', ['KubeConfigFile']) === type) {
    const path = fields.path('kubeConfigFile');
    const problem = file === '' ? undefined : fileProblem(file);
    if (file === '') fields.findings.add(requiredValue(path));
    else if (problem !== undefined) fields.findings.add(invalidValue(path, file, problem));
  }
  return file;
}

function fileProblem(path: string): string | undefined {
  if (!isAbsolute(path)) return 'must be an absolute path';
  try {
    return statSync(path).isFile() ? undefined : 'must be a regular file';
  } catch (error) {
    return `error loading file: ${(error as Error).message}`;
  }
}

function readMatchConditions(fields: AuthorizationFields): string[] {
  const items = fields
    .objects('matchConditions')
    .map((item) => ({ path: item.path('expression'), expression: item.text('expression') }));
  const version = 'matchConditionSubjectAccessReviewVersion';
  if (fields.text(version) !== '') readChoice(fields, version, ['v1']);
  else if (items.length > 0) {
    fields.findings.add(requiredValue(fields.path(version), 'required if match conditions are specified'));
  }
  if (items.length > maxConditions) {
    fields.findings.add(tooMany(fields.path('matchConditions'), items.length, maxConditions));
    return [];
  }
  const expressions: string[] = [];
  for (const { path, expression } of items) {
    if (expression.trim() === '') fields.findings.add(requiredValue(path));
    else if (expressions.includes(expression)) fields.findings.add(duplicateValue(path, expression));
    else {
      expressions.push(expression);
      const problem = expressionProblem(expression);
      if (problem !== undefined) fields.findings.add(invalidValue(path, expression, problem));
    }
  }
  return expressions;
}

function expressionProblem(expression: string): string | undefined {
  try {
    compileMatchCondition(expression);
    return undefined;
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}
