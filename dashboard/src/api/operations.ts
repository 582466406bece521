// Which calls there are: the public routes of the SDK and the dashboard's own, by path and method, as two lists: those of an
// environment, and those of the installation.
import type { Operations as PublicOperations } from '@tollkeeper/sdk/src/generated/api.ts'
import type { Operations as OwnOperations } from './generated.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Public routes, and own routes below /dashboard/api/{environment}: named by what follows it. */
export type EnvironmentOperations = PublicOperations & {
  [Name in keyof OwnOperations as Name extends `${infer Verb} /dashboard/api/${'{environment}' | 'test'}/${infer Rest}`
    ? `${Verb} /${Rest}`
    : never]: OwnOperations[Name]
}

/** Own routes that belong to no environment: session, people, links. */
export type InstallationOperations = {
  [Name in keyof OwnOperations as Name extends `${string} /dashboard/api/${'{environment}' | 'test'}/${string}`
    ? never
    : Name extends `${infer Verb} /dashboard/api/${infer Rest}`
      ? `${Verb} /${Rest}`
      : never]: OwnOperations[Name]
}

export type PathOf<Operations, Verb extends Method> = keyof Operations extends infer Name
  ? Name extends `${Verb} ${infer Path}`
    ? Path
    : never
  : never

export type OperationOf<
  Operations,
  Verb extends Method,
  Path extends string,
> = `${Verb} ${Path}` extends keyof Operations ? Operations[`${Verb} ${Path}`] : never

/** The environment is in the address that is called: nobody passes it. */
type PathPart<Operation> = Operation extends { path: infer Parts }
  ? keyof Omit<Parts, 'environment'> extends never
    ? unknown
    : { path: Omit<Parts, 'environment'> }
  : unknown
type Part<Operation, Name extends string> = Operation extends { [Key in Name]: infer Value }
  ? { [Key in Name]: Value }
  : Operation extends { [Key in Name]?: infer Value }
    ? { [Key in Name]?: Value | undefined }
    : unknown

export type InputOf<Operation> = PathPart<Operation> &
  Part<Operation, 'query'> &
  Part<Operation, 'body'> &
  Part<Operation, 'header'>

export type AnswerOf<Operation> = Operation extends { answer: infer Answer } ? Answer : never

/** Left out where nothing in it is needed. */
export type Arguments<Operation> =
  Record<never, never> extends InputOf<Operation> ? [input?: InputOf<Operation>] : [input: InputOf<Operation>]
