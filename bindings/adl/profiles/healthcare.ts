// The healthcare profile 1.0; its members and rules are the same in all revisions.
import { elements, isText, member, objectMember, textMember } from '../../text/members.ts'
import { type Checks, foundIn } from './profile.ts'

export const HEALTHCARE: Checks = {
  'HC-11': ({ classification, root }, report) => {
    const types = elements(objectMember(classification, 'healthcare'), 'phi_types', isText)
    if (!types.some(({ value }) => value === 'substance_use')) return
    const handling = objectMember(root, 'phi_handling')
    if (handling === undefined || member(handling.value, 'consent_management') !== undefined) return
    report(
      '/phi_handling/consent_management',
      "phi_types 'substance_use' requires 'consent_management' in /phi_handling",
    )
  },
  'HC-14': ({ root }, report) => {
    const safety = objectMember(root, 'clinical_safety')
    const device = textMember(objectMember(safety, 'fda_classification'), 'device_class')
    const isDevice = ['class_I', 'class_II', 'class_III'].includes(device?.value ?? '')
    if (!isDevice || member(safety?.value, 'change_control') !== undefined) return
    report(
      '/clinical_safety/change_control',
      `device_class '${device?.value}' requires 'change_control' in /clinical_safety`,
    )
  },
  'HC-15': ({ root }, report) => {
    const dsi = objectMember(objectMember(root, 'interoperability'), 'dsi_transparency')
    if (member(dsi?.value, 'predictive_dsi') !== true) return
    for (const name of ['source_attributes_published', 'irm_practices']) {
      const value = member(dsi?.value, name)
      if (value === undefined || value === false)
        report(`${dsi?.pointer}/${name}`, `predictive_dsi requires '${name}' to be true${foundIn(value)}`)
    }
  },
  'HC-17': ({ classification }, report) => {
    if (classification === undefined) return
    const categories = elements(classification, 'categories', isText)
    if (categories.some(({ value }) => value === 'phi')) return
    report('/data_classification/categories', "Healthcare profile requires the category 'phi' in data_classification")
  },
}
