import { DecodeError } from '../meta/decode-error.ts';
import { JsonPath, PathWork } from '../meta/json-path/index.ts';
import { ageText, type ColumnDefinition, column, nameColumn, type TableColumns } from '../meta/table-columns.ts';
import type { CustomResourceColumnDefinition } from '../resources/apiextensions/custom-resource-definition-types.ts';
import { customCell } from './custom-cell.ts';

/**
 * The maximum number of values that the columns may visit for one row. The cells of the columns that would exceed it
 * are null.
 */
const maxWork = 100_000;

const ageColumn: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: ageText,
  jsonPath: '.metadata.creationTimestamp',
};

/** Compiles the columns of a version of a custom resource. Without columns, the table shows name and age. */
export function customColumns(columns: readonly CustomResourceColumnDefinition[]): TableColumns {
  const shown = compile(columns.length > 0 ? columns : [ageColumn]);
  return {
    definitions: [nameColumn, ...shown.map(({ definition }) => definition)],
    cells(object, now) {
      const work = new PathWork(maxWork);
      return [
        object.metadata.name ?? '',
        ...shown.map(({ definition: { type }, path }) => customCell(path.find(object, work)?.[0], { type, now })),
      ];
    },
  };
}

/** The columns of the scale of custom resources. */
export function customScaleColumns(): TableColumns {
  return customColumns([
    { name: 'Desired', type: 'integer', description: 'Desired number of replicas.', jsonPath: '.spec.replicas' },
    { name: 'Available', type: 'integer', description: 'Current number of replicas.', jsonPath: '.status.replicas' },
    ageColumn,
  ]);
}

interface CompiledColumn {
  readonly definition: ColumnDefinition;
  readonly path: JsonPath;
}

/** As in Kubernetes, the columns before an invalid path remain. Only the first character of a path is validated. */
function compile(columns: readonly CustomResourceColumnDefinition[]): CompiledColumn[] {
  const compiled: CompiledColumn[] = [];
  for (const { name = '', type, description, jsonPath = '', ...options } of columns) {
    const path = parsed(jsonPath);
    if (path === undefined) break;
    const text = description || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
    // Definitions with other types are invalid.
    const shown = { ...options, type: type as ColumnDefinition['type'] | undefined };
    compiled.push({ definition: column(name, text, shown), path });
  }
  return compiled;
}

function parsed(jsonPath: string): JsonPath | undefined {
  try {
    return new JsonPath(jsonPath);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
