/** Port of the secrets of deployments. */
export interface StoredVariable {
  name: string;
  /** Encrypted by `SecretBox`. */
  value: string;
  /** The value is never shown again. */
  secret: boolean;
  updated_at: string;
}

/** A change of a deployment's secrets. Only the given ones change. */
export interface SecretsChange {
  /** Encrypted credentials; null removes them. */
  credentials?: string | null;
  variables?: { set: readonly StoredVariable[]; remove: readonly string[] };
}

/**
 * Variables, credentials and other secrets of deployments; values are encrypted. `DeploymentChange` changes the first
 * two.
 * Implemented in lib/drivers/sql/platform/variables.ts.
 */
export interface VariableStore {
  list(deploymentId: string): Promise<StoredVariable[]>;
  credentials(deploymentId: string): Promise<string | undefined>;
  /** The secret that signs pushes of its repository. */
  hook(deploymentId: string): Promise<string | undefined>;
  setHook(deploymentId: string, sealed: string | undefined): Promise<void>;
}
