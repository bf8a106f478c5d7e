import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

const validatingPolicyParamkindText = 'ParamKind specifies the kind of resources used to parameterize this policy';

export const webhookConfigurationDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Webhooks', 'Webhooks indicates the number of webhooks registered in this configuration', { type: 'integer' }),
  ageColumn,
];

export const validatingPolicyDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Validations', 'Validations indicates the number of validation rules defined in this configuration', {
    type: 'integer',
  }),
  column('ParamKind', validatingPolicyParamkindText),
  ageColumn,
];

export const mutatingPolicyDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Mutations', 'Mutation indicates the number of mutations rules defined in this configuration', {
    type: 'integer',
  }),
  column('ParamKind', validatingPolicyParamkindText),
  ageColumn,
];

export const policyBindingDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('PolicyName', 'PolicyName indicates the policy definition which the policy binding binded to'),
  column('ParamRef', 'ParamRef indicates the param resource which sets the configuration param'),
  ageColumn,
];
