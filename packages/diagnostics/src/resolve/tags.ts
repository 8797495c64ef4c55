/** YAML's own tags, as nodes carry them. */
export const TAG = {
  binary: 'tag:yaml.org,2002:binary',
  bool: 'tag:yaml.org,2002:bool',
  float: 'tag:yaml.org,2002:float',
  int: 'tag:yaml.org,2002:int',
  merge: 'tag:yaml.org,2002:merge',
  null: 'tag:yaml.org,2002:null',
  str: 'tag:yaml.org,2002:str',
  timestamp: 'tag:yaml.org,2002:timestamp',
} as const;
