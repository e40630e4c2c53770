/** A schema of the Standard Schema interface, version 1 (https://standardschema.dev). */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output>;
}

export declare namespace StandardSchemaV1 {
  /** Properties of a schema. */
  interface Props<Input = unknown, Output = Input> {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Result<Output>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  }
  /** Result of a validation: the value, or its issues. */
  type Result<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
  /** A validation error. */
  interface Issue {
    readonly message: string;
    readonly path?: readonly PropertyKey[] | undefined;
    /** Stable code of the service. */
    readonly reason?: string;
  }
}
