// Generated from the tables by scripts/generate.mjs; edit those instead.

import type { Node, Path, TextDocument } from '@coreiso/diagnostics';

/** What the table reads of an install config. */
export interface InstallConfigValues {
  /** The version of this format. */
  readonly apiVersion: string;
  /** Ignored. */
  readonly kind: string;
  /** Name of the cluster. */
  readonly metadata: {
    /** Name of the object. */
    readonly name: string;
    /** Set by a cluster. */
    readonly generateName: string;
    /** Namespace of the object. */
    readonly namespace: string;
    /** Set by a cluster. */
    readonly selfLink: string;
    /** Set by a cluster. */
    readonly uid: string;
    /** Set by a cluster. */
    readonly resourceVersion: string;
    /** Set by a cluster. */
    readonly generation: number;
    /** Set by a cluster. */
    readonly creationTimestamp: Node | undefined;
    /** Set by a cluster. */
    readonly deletionTimestamp: Node | undefined;
    /** Set by a cluster. */
    readonly deletionGracePeriodSeconds: Node | undefined;
    /** Labels of the object. */
    readonly labels: Readonly<Record<string, string>>;
    /** Annotations of the object. */
    readonly annotations: Readonly<Record<string, string>>;
    /** Set by a cluster. */
    readonly ownerReferences: Node | undefined;
    /** Set by a cluster. */
    readonly finalizers: readonly string[];
    /** Set by a cluster. */
    readonly managedFields: Node | undefined;
  };
  /** PEM certificates to trust. */
  readonly additionalTrustBundle: string;
  /** When they are trusted. */
  readonly additionalTrustBundlePolicy: string;
  /** Public key of user core, one a line. */
  readonly sshKey: string;
  /** Domain that the cluster belongs to. */
  readonly baseDomain: string;
  /** Networks of the cluster. */
  readonly networking: {
    /** The network plugin. */
    readonly networkType: string;
    /** Networks of the machines. */
    readonly machineNetwork: readonly {
      /** The network. */
      readonly cidr: { readonly address: { readonly version: 4 | 6; readonly value: bigint }; readonly prefixLength: number } | undefined;
    }[];
    /** Networks of pods. */
    readonly clusterNetwork: readonly {
      /** The network. */
      readonly cidr: { readonly address: { readonly version: 4 | 6; readonly value: bigint }; readonly prefixLength: number } | undefined;
      /** Length of the prefix that each machine gets. */
      readonly hostPrefix: number;
      /** Old form of hostPrefix: bits of a host. */
      readonly hostSubnetLength: number;
    }[];
    /** Networks of services, one of each family. */
    readonly serviceNetwork: readonly { readonly address: { readonly version: 4 | 6; readonly value: bigint }; readonly prefixLength: number }[];
    /** Not for the agent-based installer. */
    readonly clusterNetworkMTU: number;
    /** Settings of OVN-Kubernetes. */
    readonly ovnKubernetesConfig: {
      /** IPv4. */
      readonly ipv4: {
        /** The network that joins machines inside OVN. */
        readonly internalJoinSubnet: { readonly address: { readonly version: 4 | 6; readonly value: bigint }; readonly prefixLength: number } | undefined;
      } | undefined;
    } | undefined;
    /** Old form of machineNetwork. */
    readonly machineCIDR: { readonly address: { readonly version: 4 | 6; readonly value: bigint }; readonly prefixLength: number } | undefined;
    /** Old name of networkType. */
    readonly type: string;
    /** Old form of serviceNetwork. */
    readonly serviceCIDR: { readonly address: { readonly version: 4 | 6; readonly value: bigint }; readonly prefixLength: number } | undefined;
    /** Old name of clusterNetwork. */
    readonly clusterNetworks: readonly NonNullable<InstallConfigValues['networking']>['clusterNetwork'][number][];
  } | undefined;
  /** The control plane. */
  readonly controlPlane: {
    /** Name of the pool. */
    readonly name: string;
    /** How many (default: 3). */
    readonly replicas: number | undefined;
    /** Ignored. */
    readonly platform: {
      /** AWS; not for the agent-based installer. */
      readonly aws: Node | undefined;
      /** Azure; not for the agent-based installer. */
      readonly azure: Node | undefined;
      /** Bare metal. */
      readonly baremetal: object | undefined;
      /** GCP; not for the agent-based installer. */
      readonly gcp: Node | undefined;
      /** IBM Cloud; not for the agent-based installer. */
      readonly ibmcloud: Node | undefined;
      /** OpenStack; not for the agent-based installer. */
      readonly openstack: Node | undefined;
      /** vSphere. */
      readonly vsphere: {
        /** Processors. */
        readonly cpus: number;
        /** Cores of a processor. */
        readonly coresPerSocket: number;
        /** Memory in MiB. */
        readonly memoryMB: number;
        /** The disk. */
        readonly osDisk: {
          /** Size in GiB. */
          readonly diskSizeGB: number;
        };
        /** Failure domains. */
        readonly zones: readonly string[];
        /** Further disks. */
        readonly dataDisks: Node | undefined;
      } | undefined;
      /** oVirt; not for the agent-based installer. */
      readonly ovirt: Node | undefined;
      /** Power VS; not for the agent-based installer. */
      readonly powervs: Node | undefined;
      /** Nutanix; not for the agent-based installer. */
      readonly nutanix: Node | undefined;
    };
    /** Ignored. */
    readonly hyperthreading: string;
    /** Architecture of the machines. */
    readonly architecture: string;
    /** How machines of a pair switch each other off. */
    readonly fencing: {
      /** One for each machine. */
      readonly credentials: readonly {
        /** Name of the machine. */
        readonly hostName: string;
        /** MAC address of the machine. */
        readonly macAddress: string;
        /** User. */
        readonly username: string;
        /** Password. */
        readonly password: string;
        /** URL of the management controller. */
        readonly address: string;
        /** Whether certificates are checked. */
        readonly certificateVerification: string;
      }[];
    } | undefined;
    /** Ignored. */
    readonly diskSetup: Node | undefined;
    /** Ignored. */
    readonly management: string;
  } | undefined;
  /** Arbiters. */
  readonly arbiter: NonNullable<InstallConfigValues['controlPlane']> | undefined;
  /** Workers. */
  readonly compute: readonly NonNullable<InstallConfigValues['controlPlane']>[];
  /** Where the cluster runs; one of them. */
  readonly platform: {
    /** AWS; not for the agent-based installer. */
    readonly aws: Node | undefined;
    /** Azure; not for the agent-based installer. */
    readonly azure: Node | undefined;
    /** Bare metal. */
    readonly baremetal: {
      /** Ignored. */
      readonly libvirtURI: string;
      /** Ignored. */
      readonly bootstrapProvisioningIP: string;
      /** Ignored. */
      readonly bootstrapOSImage: string;
      /** Ignored. */
      readonly clusterOSImage: string;
      /** Address of the provisioning service. */
      readonly clusterProvisioningIP: string;
      /** Old name of clusterProvisioningIP. */
      readonly provisioningHostIP: string;
      /** Ignored. */
      readonly bootstrapExternalStaticIP: string;
      /** Ignored. */
      readonly bootstrapExternalStaticGateway: string;
      /** Ignored. */
      readonly bootstrapExternalStaticDNS: string;
      /** Who runs the provisioning network. */
      readonly provisioningNetwork: string;
      /** The provisioning network. */
      readonly provisioningNetworkCIDR: { readonly address: { readonly version: 4 | 6; readonly value: bigint }; readonly prefixLength: number } | undefined;
      /** Interface of the provisioning network. */
      readonly provisioningNetworkInterface: string;
      /** Gateway of the provisioning network. */
      readonly provisioningNetworkGateway: string;
      /** Old way to say Unmanaged. */
      readonly provisioningDHCPExternal: boolean;
      /** First and last address, with a comma between. */
      readonly provisioningDHCPRange: string;
      /** Ignored. */
      readonly externalBridge: string;
      /** Ignored. */
      readonly externalMACAddress: string;
      /** Ignored. */
      readonly provisioningBridge: string;
      /** Ignored. */
      readonly provisioningMACAddress: string;
      /** The hosts. */
      readonly hosts: readonly {
        /** Name of the host. */
        readonly name: string;
        /** Access to the management controller. */
        readonly bmc: {
          /** User of the management controller. */
          readonly username: string;
          /** Password of the management controller. */
          readonly password: string;
          /** URL of the management controller. */
          readonly address: string;
          /** Whether any certificate will do. */
          readonly disableCertificateVerification: boolean;
        };
        /** Role of the host. */
        readonly role: string;
        /** MAC address of the interface that the host boots from. */
        readonly bootMACAddress: string;
        /** Ignored. */
        readonly hardwareProfile: string;
        /** Which disk to install to. */
        readonly rootDeviceHints: {
          /** The path of the disk, /dev/NAME or /dev/disk/by-path/NAME. */
          readonly deviceName: string;
          /** The SCSI address, host:channel:target:lun. */
          readonly hctl: string;
          /** A part of the model. */
          readonly model: string;
          /** A part of the vendor. */
          readonly vendor: string;
          /** The whole serial number. */
          readonly serialNumber: string;
          /** The least size of the disk. */
          readonly minSizeGigabytes: number;
          /** The whole world wide name. */
          readonly wwn: string;
          /** Refused by the installer. */
          readonly wwnWithExtension: string;
          /** Refused by the installer. */
          readonly wwnVendorExtension: string;
          /** Whether the disk turns. */
          readonly rotational: boolean | undefined;
        } | undefined;
        /** How the firmware boots; ignored. */
        readonly bootMode: string;
        /** The network of the host, as nmstate describes it. */
        readonly networkConfig: {
          readonly path: Path;
          readonly node: Node;
          /** Where the node stands. */
          readonly document: Pick<TextDocument, 'range'>;
          /** Block style, keys sorted. */
          readonly text: string;
        } | undefined;
      }[];
      /** Ignored. */
      readonly defaultMachinePlatform: object | undefined;
      /** Old form of apiVIPs. */
      readonly apiVIP: string;
      /** Address of the API, one of each family. */
      readonly apiVIPs: readonly string[];
      /** Old form of ingressVIPs. */
      readonly ingressVIP: string;
      /** Address of ingress, one of each family. */
      readonly ingressVIPs: readonly string[];
      /** Who balances the load. */
      readonly loadBalancer: {
        /** Who balances. */
        readonly type: string;
      } | undefined;
      /** Names or addresses of time servers. */
      readonly additionalNTPServers: readonly string[];
      /** Who serves the names of the cluster. */
      readonly dnsRecordsType: string;
    } | undefined;
    /** GCP; not for the agent-based installer. */
    readonly gcp: Node | undefined;
    /** IBM Cloud; not for the agent-based installer. */
    readonly ibmcloud: Node | undefined;
    /** No platform. */
    readonly none: object | undefined;
    /** A platform with an external integration. */
    readonly external: {
      /** Name of the platform. */
      readonly platformName: string;
      /** Whether there is a cloud controller manager. */
      readonly cloudControllerManager: string;
    } | undefined;
    /** PowerVC; not for the agent-based installer. */
    readonly powervc: Node | undefined;
    /** OpenStack; not for the agent-based installer. */
    readonly openstack: Node | undefined;
    /** vSphere. */
    readonly vsphere: {
      /** Old form of vcenters. */
      readonly vCenter: string;
      /** Old form of vcenters. */
      readonly username: string;
      /** Old form of vcenters. */
      readonly password: string;
      /** Old form of vcenters. */
      readonly datacenter: string;
      /** Old form of failureDomains. */
      readonly defaultDatastore: string;
      /** Old form of failureDomains. */
      readonly folder: string;
      /** Old form of failureDomains. */
      readonly cluster: string;
      /** Old form of failureDomains. */
      readonly resourcePool: string;
      /** Old form of failureDomains. */
      readonly network: string;
      /** Ignored. */
      readonly clusterOSImage: string;
      /** Old form of apiVIPs. */
      readonly apiVIP: string;
      /** Address of the API, one of each family. */
      readonly apiVIPs: readonly string[];
      /** Old form of ingressVIPs. */
      readonly ingressVIP: string;
      /** Address of ingress, one of each family. */
      readonly ingressVIPs: readonly string[];
      /** Ignored. */
      readonly defaultMachinePlatform: NonNullable<NonNullable<InstallConfigValues['controlPlane']>['platform']['vsphere']> | undefined;
      /** How disks are provisioned; ignored. */
      readonly diskType: string;
      /** vCenters. */
      readonly vcenters: readonly {
        /** Name or address. */
        readonly server: string;
        /** Port. */
        readonly port: number;
        /** User. */
        readonly user: string;
        /** Password. */
        readonly password: string;
        /** Datacenters. */
        readonly datacenters: readonly string[];
      }[];
      /** Failure domains. */
      readonly failureDomains: readonly {
        /** Name. */
        readonly name: string;
        /** Tag of the region. */
        readonly region: string;
        /** Tag of the zone. */
        readonly zone: string;
        /** What a region is. */
        readonly regionType: string;
        /** What a zone is. */
        readonly zoneType: string;
        /** vCenter. */
        readonly server: string;
        /** Where its machines run. */
        readonly topology: {
          /** Datacenter. */
          readonly datacenter: string;
          /** Path of the compute cluster. */
          readonly computeCluster: string;
          /** Networks. */
          readonly networks: readonly string[];
          /** Path of the datastore. */
          readonly datastore: string;
          /** Path of the resource pool. */
          readonly resourcePool: string;
          /** Path of the folder. */
          readonly folder: string;
          /** Path of the template. */
          readonly template: string;
          /** Tags. */
          readonly tagIDs: readonly string[];
          /** Group of hosts. */
          readonly hostGroup: string;
        };
      }[];
      /** Which addresses nodes take. */
      readonly nodeNetworking: {
        /** Addresses for others. */
        readonly external: {
          /** Networks to take addresses from. */
          readonly networkSubnetCidr: readonly string[];
          /** Network to take addresses from. */
          readonly network: string;
          /** Networks to take no addresses from. */
          readonly excludeNetworkSubnetCidr: readonly string[];
        };
        /** Addresses for the cluster. */
        readonly internal: NonNullable<NonNullable<InstallConfigValues['platform']['vsphere']>['nodeNetworking']>['external'];
      } | undefined;
      /** Ignored. */
      readonly loadBalancer: NonNullable<NonNullable<InstallConfigValues['platform']['baremetal']>['loadBalancer']> | undefined;
      /** Ignored. */
      readonly hosts: Node | undefined;
      /** Who serves the names of the cluster. */
      readonly dnsRecordsType: string;
    } | undefined;
    /** oVirt; not for the agent-based installer. */
    readonly ovirt: Node | undefined;
    /** Power VS; not for the agent-based installer. */
    readonly powervs: Node | undefined;
    /** Nutanix. */
    readonly nutanix: {
      /** Prism Central. */
      readonly prismCentral: {
        /** Where it is reached. */
        readonly endpoint: {
          /** Name or address. */
          readonly address: string;
          /** Port. */
          readonly port: number;
        };
        /** User. */
        readonly username: string;
        /** Password. */
        readonly password: string;
      };
      /** Prism Elements. */
      readonly prismElements: readonly {
        /** UUID. */
        readonly uuid: string;
        /** Where it is reached. */
        readonly endpoint: NonNullable<InstallConfigValues['platform']['nutanix']>['prismCentral']['endpoint'];
        /** Name. */
        readonly name: string;
      }[];
      /** Ignored. */
      readonly clusterOSImage: string;
      /** Ignored. */
      readonly preloadedOSImageName: string;
      /** Old form of apiVIPs. */
      readonly apiVIP: string;
      /** Address of the API, one of each family. */
      readonly apiVIPs: readonly string[];
      /** Old form of ingressVIPs. */
      readonly ingressVIP: string;
      /** Address of ingress, one of each family. */
      readonly ingressVIPs: readonly string[];
      /** Ignored. */
      readonly defaultMachinePlatform: Node | undefined;
      /** Subnets. */
      readonly subnetUUIDs: readonly string[];
      /** Ignored. */
      readonly loadBalancer: NonNullable<NonNullable<InstallConfigValues['platform']['baremetal']>['loadBalancer']> | undefined;
      /** Ignored. */
      readonly failureDomains: Node | undefined;
      /** Ignored. */
      readonly prismAPICallTimeout: number | undefined;
      /** Who serves the names of the cluster. */
      readonly dnsRecordsType: string;
    } | undefined;
  };
  /** Credentials of the registries, as JSON. */
  readonly pullSecret: string;
  /** The proxy of the cluster. */
  readonly proxy: {
    /** URL of the proxy for http. */
    readonly httpProxy: string;
    /** URL of the proxy for https. */
    readonly httpsProxy: string;
    /** Names and networks to reach directly, with commas between. */
    readonly noProxy: string;
  } | undefined;
  /** Old name of imageDigestSources. */
  readonly imageContentSources: readonly {
    /** Repository to mirror. */
    readonly source: string;
    /** Repositories that hold the same. */
    readonly mirrors: readonly string[];
    /** Ignored. */
    readonly sourcePolicy: string;
  }[];
  /** Where images are mirrored. */
  readonly imageDigestSources: readonly {
    /** Repository to mirror. */
    readonly source: string;
    /** Repositories that hold the same. */
    readonly mirrors: readonly string[];
    /** Whether the source may be asked. */
    readonly sourcePolicy: string;
  }[];
  /** Ignored. */
  readonly publish: string;
  /** Not for the agent-based installer. */
  readonly operatorPublishingStrategy: {
    /** Who reaches the API. */
    readonly apiserver: string;
    /** Who reaches ingress. */
    readonly ingress: string;
  } | undefined;
  /** Whether the cluster runs in FIPS mode. */
  readonly fips: boolean;
  /** Whether CPUs are set apart for the platform. */
  readonly cpuPartitioningMode: string;
  /** Ignored. */
  readonly credentialsMode: string;
  /** Ignored. */
  readonly bootstrapInPlace: {
    /** Ignored. */
    readonly installationDisk: string;
  } | undefined;
  /** Optional parts of the cluster. */
  readonly capabilities: {
    /** The set to begin with. */
    readonly baselineCapabilitySet: string;
    /** Capabilities besides. */
    readonly additionalEnabledCapabilities: readonly string[];
  } | undefined;
  /** Features that are not on by default. */
  readonly featureSet: string;
  /** Single features, NAME=true or NAME=false. */
  readonly featureGates: readonly string[];
  /** Which operating system machines run. */
  readonly osImageStream: string;
  /** Certificates. */
  readonly pki: Node | undefined;
}

/** What the table reads of an InfraEnv. */
export interface InfraEnvValues {
  /** Ignored. */
  readonly apiVersion: string;
  /** Ignored. */
  readonly kind: string;
  /** Name and namespace. */
  readonly metadata: InstallConfigValues['metadata'];
  /** What an image of this environment holds. */
  readonly spec: {
    /** The proxy of the live system. */
    readonly proxy: {
      /** Proxy for http. */
      readonly httpProxy: string;
      /** Proxy for https. */
      readonly httpsProxy: string;
      /** Names and networks to reach directly, with commas between. */
      readonly noProxy: string;
    } | undefined;
    /** Names or addresses of time servers. */
    readonly additionalNTPSources: readonly string[];
    /** Names or addresses of time servers. */
    readonly ntpSources: readonly string[];
    /** Public key of user core in the live system. */
    readonly sshAuthorizedKey: string;
    /** The secret with the pull secret. */
    readonly pullSecretRef: {
      /** Name of the object. */
      readonly name: string;
    } | undefined;
    /** Labels for the agents. */
    readonly agentLabels: Readonly<Record<string, string>>;
    /** Which NMStateConfig manifests belong to it. */
    readonly nmStateConfigLabelSelector: {
      /** Labels that must be equal. */
      readonly matchLabels: Readonly<Record<string, string>>;
      /** Other conditions. */
      readonly matchExpressions: Node | undefined;
    };
    /** The cluster. */
    readonly clusterRef: {
      /** Name of the object. */
      readonly name: string;
      /** Namespace of the object. */
      readonly namespace: string;
    } | undefined;
    /** Ignition JSON for the live system. */
    readonly ignitionConfigOverride: string;
    /** The architecture of the image. */
    readonly cpuArchitecture: string;
    /** Changes of the kernel command line. */
    readonly kernelArguments: readonly {
      /** What to do. */
      readonly operation: string;
      /** The argument. */
      readonly value: string;
    }[];
    /** PEM certificates to trust. */
    readonly additionalTrustBundle: string;
    /** The version of the image. */
    readonly osImageVersion: string;
    /** Kind of the iPXE script. */
    readonly ipxeScriptType: string;
    /** full-iso or minimal-iso. */
    readonly imageType: string;
    /** A ConfigMap with mirrors. */
    readonly mirrorRegistryRef: {
      /** Name of the object. */
      readonly name: string;
      /** Namespace of the object. */
      readonly namespace: string;
    } | undefined;
    /** Whether agents are approved on their own. */
    readonly agentApproval: {
      /** Whether agents are approved on their own. */
      readonly autoApprove: boolean;
    } | undefined;
    /** How long to wait for interfaces at boot. */
    readonly networkDiscoveryDelaySeconds: number | undefined;
  };
  /** Set by a cluster. */
  readonly status: Node | undefined;
}

/** What the table reads of an AgentClusterInstall. */
export interface ClusterInstallValues {
  /** Ignored. */
  readonly apiVersion: string;
  /** Ignored. */
  readonly kind: string;
  /** Name and namespace. */
  readonly metadata: InstallConfigValues['metadata'];
  /** The cluster to install. */
  readonly spec: {
    /** The release. */
    readonly imageSetRef: NonNullable<InfraEnvValues['spec']['pullSecretRef']> | undefined;
    /** The ClusterDeployment. */
    readonly clusterDeploymentRef: NonNullable<InfraEnvValues['spec']['pullSecretRef']>;
    /** Set by a cluster. */
    readonly clusterMetadata: Node | undefined;
    /** Further manifests. */
    readonly manifestsConfigMapRef: NonNullable<InfraEnvValues['spec']['pullSecretRef']> | undefined;
    /** Further manifests. */
    readonly manifestsConfigMapRefs: readonly {
      /** Name of the ConfigMap. */
      readonly name: string;
    }[];
    /** Networks of the cluster. */
    readonly networking: {
      /** Networks of the machines. */
      readonly machineNetwork: readonly {
        /** The network. */
        readonly cidr: string;
      }[];
      /** Networks of pods. */
      readonly clusterNetwork: readonly {
        /** The network. */
        readonly cidr: string;
        /** Length of the prefix that each machine gets. */
        readonly hostPrefix: number;
      }[];
      /** Networks of services. */
      readonly serviceNetwork: readonly string[];
      /** The network plugin. */
      readonly networkType: string;
      /** Whether load balancers are the user’s own. */
      readonly userManagedNetworking: boolean | undefined;
    };
    /** Public key of user core. */
    readonly sshPublicKey: string;
    /** How many machines. */
    readonly provisionRequirements: {
      /** Control plane. */
      readonly controlPlaneAgents: number;
      /** Workers. */
      readonly workerAgents: number;
      /** Arbiters. */
      readonly arbiterAgents: number;
    };
    /** Ignored. */
    readonly controlPlane: {
      /** Ignored. */
      readonly hyperthreading: string;
      /** Name of the pool. */
      readonly name: string;
    } | undefined;
    /** Ignored. */
    readonly compute: readonly NonNullable<ClusterInstallValues['spec']['controlPlane']>[];
    /** Ignored. */
    readonly arbiter: NonNullable<ClusterInstallValues['spec']['controlPlane']> | undefined;
    /** Address of the API. */
    readonly apiVIP: string;
    /** Addresses of the API. */
    readonly apiVIPs: readonly string[];
    /** Address of ingress. */
    readonly ingressVIP: string;
    /** Addresses of ingress. */
    readonly ingressVIPs: readonly string[];
    /** Whether to wait. */
    readonly holdInstallation: boolean;
    /** Where Ignition is fetched. */
    readonly ignitionEndpoint: {
      /** URL. */
      readonly url: string;
      /** The certificate to trust. */
      readonly caCertificateReference: {
        /** Namespace of the secret. */
        readonly namespace: string;
        /** Name of the secret. */
        readonly name: string;
      } | undefined;
    } | undefined;
    /** Encryption of disks. */
    readonly diskEncryption: {
      /** Whose disks. */
      readonly enableOn: string;
      /** How. */
      readonly mode: string;
      /** JSON list of servers. */
      readonly tangServers: string;
    } | undefined;
    /** The proxy of the cluster. */
    readonly proxy: NonNullable<InfraEnvValues['spec']['proxy']> | undefined;
    /** Where the cluster runs. */
    readonly platformType: string;
    /** A platform with an external integration. */
    readonly external: {
      /** Name of the platform. */
      readonly platformName: string;
      /** Whether there is a cloud controller manager. */
      readonly cloudControllerManager: string;
    } | undefined;
    /** Whether masters take workloads. */
    readonly mastersSchedulable: boolean;
    /** Who balances the load. */
    readonly loadBalancer: {
      /** Who balances. */
      readonly type: string;
    } | undefined;
    /** A ConfigMap with mirrors. */
    readonly mirrorRegistryRef: {
      /** Name of the object. */
      readonly name: string;
      /** Namespace of the object. */
      readonly namespace: string;
    } | undefined;
  };
  /** Set by a cluster. */
  readonly status: Node | undefined;
}

/** What the table reads of a ClusterDeployment. */
export interface ClusterDeploymentValues {
  /** Ignored. */
  readonly apiVersion: string;
  /** Ignored. */
  readonly kind: string;
  /** Name and namespace. */
  readonly metadata: InstallConfigValues['metadata'];
  /** The name of a cluster. */
  readonly spec: {
    /** Name of the cluster. */
    readonly clusterName: string;
    /** Domain that the cluster belongs to. */
    readonly baseDomain: string;
    /** Ignored. */
    readonly platform: undefined;
    /** The pull secret. */
    readonly pullSecretRef: undefined;
    /** The AgentClusterInstall. */
    readonly clusterInstallRef: undefined;
    /** Certificates of the API. */
    readonly controlPlaneConfig: undefined;
    /** Whether the cluster exists already. */
    readonly installed: boolean;
    /** Ignored. */
    readonly ingress: undefined;
    /** Ignored. */
    readonly certificateBundles: undefined;
    /** Ignored. */
    readonly manageDNS: boolean;
    /** Ignored. */
    readonly clusterMetadata: undefined;
    /** Ignored. */
    readonly hibernateAfter: undefined;
    /** Ignored. */
    readonly powerState: string;
    /** Ignored. */
    readonly provisioning: undefined;
    /** Ignored. */
    readonly preserveOnDelete: boolean;
    /** Ignored. */
    readonly installAttemptsLimit: undefined;
    /** Ignored. */
    readonly clusterPoolRef: undefined;
    /** Ignored. */
    readonly boundServiceAccountSigningKeySecretRef: undefined;
  };
  /** Set by a cluster. */
  readonly status: undefined;
}

/** What the table reads of a ClusterImageSet. */
export interface ClusterImageSetValues {
  /** Ignored. */
  readonly apiVersion: string;
  /** Ignored. */
  readonly kind: string;
  /** Name and namespace. */
  readonly metadata: InstallConfigValues['metadata'];
  /** A release. */
  readonly spec: {
    /** The release image. */
    readonly releaseImage: string;
  };
  /** Set by a cluster. */
  readonly status: undefined;
}

/** What the table reads of a Secret. */
export interface SecretValues {
  /** Ignored. */
  readonly apiVersion: string;
  /** Ignored. */
  readonly kind: string;
  /** Name and namespace. */
  readonly metadata: InstallConfigValues['metadata'];
  /** Ignored. */
  readonly immutable: boolean | undefined;
  /** Not read. */
  readonly data: Readonly<Record<string, string>>;
  /** Text by its key. */
  readonly stringData: Readonly<Record<string, string>>;
  /** Kind of the secret. */
  readonly type: string;
}

/** What the table reads of a site. */
export interface ZtpSiteValues {
  /** Name and namespace. */
  readonly metadata: {
    /** Name of the cluster. */
    readonly name: string;
    /** Namespace of its objects on the hub; the name of the cluster by default. */
    readonly namespace: string;
  };
  /** Domain below which the cluster has its names. */
  readonly baseDomain: string;
  /** The version to install, for example 4.20.3. */
  readonly openshiftVersion: string;
  /** The release to install, by its digest. */
  readonly releaseImage: string;
  /** BareMetal, which keeps the virtual addresses, or None; BareMetal by default. */
  readonly platform: string;
  /** Secret with .dockerconfigjson, in the namespace of the cluster; pull-secret by default. */
  readonly pullSecretName: string;
  /** Public key of user core. */
  readonly sshKey: string;
  /** Architecture of all machines; x86_64 by default. */
  readonly cpuArchitecture: string;
  /** Networks of the cluster. */
  readonly networking: NonNullable<InstallConfigValues['networking']> | undefined;
  /** Addresses of the API; on BareMetal. */
  readonly apiVIPs: readonly string[];
  /** Addresses of the routers; on BareMetal. */
  readonly ingressVIPs: readonly string[];
  /** Names or addresses of time servers. */
  readonly additionalNTPSources: readonly string[];
  /** The assisted service of the hub. */
  readonly service: {
    /** Where it runs; multicluster-engine by default. */
    readonly namespace: string;
    /** Live images, one for the version to install among them. */
    readonly osImages: readonly {
      /** Major and minor version, in quotes: "4.20". */
      readonly openshiftVersion: string;
      /** Version of the operating system. */
      readonly version: string;
      /** Where the live image is. */
      readonly url: string;
      /** Where its root file system is, for services before 2.2 and for minimal images from a mirror. */
      readonly rootFSUrl: string;
      /** x86_64 by default. */
      readonly cpuArchitecture: string;
    }[];
    /** Class of its volumes; the default class of the hub by default. */
    readonly storageClassName: string;
    /** How much its database may take; 10Gi by default. */
    readonly databaseStorage: string;
    /** How much its files may take; 100Gi by default. */
    readonly filesystemStorage: string;
    /** How much its images may take; 50Gi by default. */
    readonly imageStorage: string;
  };
  /** Objects for the new cluster: name of the file to YAML. */
  readonly extraManifests: Readonly<Record<string, string>>;
  /** The machines of the cluster. */
  readonly hosts: readonly {
    /** The name to set at boot. */
    readonly hostname: string;
    /** What the host becomes; decided later where absent. */
    readonly role: string;
    /** Which disk to install to. */
    readonly rootDeviceHints: NonNullable<NonNullable<InstallConfigValues['platform']['baremetal']>['hosts'][number]['rootDeviceHints']>;
    /** The interfaces that identify the host. */
    readonly interfaces: readonly {
      /** The name that networkConfig uses for this interface. */
      readonly name: string;
      /** The MAC address of the machine, as XX:XX:XX:XX:XX:XX. */
      readonly macAddress: string;
    }[];
    /** The network of the host, as nmstate describes it. */
    readonly networkConfig: {
      readonly path: Path;
      readonly node: Node;
      /** Where the node stands. */
      readonly document: Pick<TextDocument, 'range'>;
      /** Block style, keys sorted. */
      readonly text: string;
    } | undefined;
    /** The way to its management controller. */
    readonly bmc: {
      /** URL of the management controller, such as redfish-virtualmedia://192.0.2.90/redfish/v1/Systems/1. */
      readonly address: string;
      /** Secret with username and password, in the namespace of the cluster; HOSTNAME-bmc by default. */
      readonly credentialsName: string;
      /** Whether any certificate will do. */
      readonly disableCertificateVerification: boolean;
    };
    /** The card that it boots by; that of the first interface by default. */
    readonly bootMACAddress: string;
    /** Whether it is outside the machine networks; by default its addresses decide. */
    readonly remote: boolean | undefined;
    /** Labels of the node. */
    readonly nodeLabels: Readonly<Record<string, string>>;
    /** Ignition JSON, merged into the config that the node boots with at first. */
    readonly ignitionConfigOverride: string;
  }[];
}
